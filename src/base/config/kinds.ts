import { Type } from '../typebox.ts';
import type { TProperties } from '../typebox.ts';
import type { FormatName } from './formats.ts';

/*
 * The kinds of setting, one short call each, so that schema.ts reads as a table: default, one-sentence description,
 * bounds. Every kind carries its default and description; `config.example.yaml`, `config print` and faults use them.
 */

type Bounds = { minimum?: number; maximum?: number; exclusiveMinimum?: number };
type TextRules = { format?: FormatName; secret?: boolean };

/** Node fires a longer timer at once instead of later, so a setting in milliseconds ends here. */
export const TIMER_MAX_MS = 2_147_483_647;

/** Settings that belong together; unknown names in it are faults. */
export const section = <T extends TProperties>(settings: T) => Type.Object(settings, { additionalProperties: false });

export const whole = (fallback: number, description: string, bounds: Bounds = { minimum: 1 }) =>
  Type.Integer({ ...bounds, default: fallback, description });

/** A whole number, or null (the default). */
export const wholeOrNull = (description: string, bounds: Bounds = { minimum: 1 }) =>
  Type.Union([Type.Integer(bounds), Type.Null()], { default: null, description });

export const decimal = (fallback: number, description: string, bounds: Bounds) =>
  Type.Number({ ...bounds, default: fallback, description });

export const yesNo = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description });

/** Text that is never empty. */
export const text = (fallback: string, description: string, rules: TextRules = {}) =>
  Type.String({ minLength: 1, ...rules, default: fallback, description });

/** Text that is never empty, or null (the default). `secret` settings are masked wherever they are shown. */
export const textOrNull = (description: string, { secret = false, ...rules }: TextRules = {}) =>
  Type.Union([Type.String({ minLength: 1, ...rules }), Type.Null()], {
    default: null,
    description,
    ...(secret ? { secret } : {}),
  });

export const choice = <T extends string[]>(values: readonly [...T], fallback: T[number], description: string) =>
  Type.Enum<T>(values, { default: fallback, description });
