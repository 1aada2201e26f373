import { Type } from '../typebox.ts';
import type { TProperties } from '../typebox.ts';
import type { FormatName } from './formats.ts';

/*
 * One short function per kind of setting, so that schema.ts reads as a table: default, one-sentence description (with its unit) and
 * bounds. `config.example.yaml`, docs/settings.md, `config print` and error messages all use them.
 */

type Bounds = { minimum?: number; maximum?: number; exclusiveMinimum?: number };
type TextRules = { format?: FormatName; secret?: boolean };

/** The longest timer that Node supports; a longer one fires at once. */
const maxTimerMs = 2_147_483_647;

/** A group of settings. A name that it does not have is an error. */
export const section = <T extends TProperties>(settings: T) => Type.Object(settings, { additionalProperties: false });

export const integer = (fallback: number, description: string, bounds: Bounds = { minimum: 1 }) =>
  Type.Integer({ ...bounds, default: fallback, description });

/** A positive integer, or null, which is the default. */
export const integerOrNull = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { default: null, description });

/** Hours of the day on some weekdays (without `days`: on all), or null, which is the default. */
export const hoursOrNull = (description: string) =>
  Type.Union(
    [
      section({
        start: Type.String({ format: 'time_of_day' }),
        end: Type.String({ format: 'time_of_day' }),
        days: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, uniqueItems: true })),
      }),
      Type.Null(),
    ],
    { default: null, description },
  );

/** A time-out in milliseconds. */
export const milliseconds = (fallback: number, description: string) =>
  integer(fallback, description, { minimum: 1, maximum: maxTimerMs });

export const number = (fallback: number, description: string, bounds: Bounds) =>
  Type.Number({ ...bounds, default: fallback, description });

export const boolean = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description });

/** Text that is not empty. */
export const text = (fallback: string, description: string, rules: TextRules = {}) =>
  Type.String({ minLength: 1, ...rules, default: fallback, description });

/** Text that is not empty, or null, which is the default. `secret` masks the value wherever it is shown. */
export const textOrNull = (description: string, { secret = false, ...rules }: TextRules = {}) =>
  Type.Union([Type.String({ minLength: 1, ...rules }), Type.Null()], {
    default: null,
    description,
    ...(secret ? { secret } : {}),
  });

export const oneOf = <T extends string[]>(values: readonly [...T], fallback: T[number], description: string) =>
  Type.Enum<T>(values, { default: fallback, description });
