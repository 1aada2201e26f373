import { withoutPassword } from '../redact.ts';
import { FORMATS } from './formats.ts';
import type { FormatName } from './formats.ts';
import type { Shape } from './settings.ts';

/** Completes the sentence "<setting> must be …": `a whole number, at least 1`. */
export function describeShape(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(describeShape).join(', or ');
  if (shape.enum !== undefined) return `one of ${shape.enum.join(', ')}`;
  return DESCRIBERS[shape.type ?? 'string'](shape);
}

const DESCRIBERS: Readonly<Record<NonNullable<Shape['type']>, (shape: Shape) => string>> = {
  string: describeText,
  integer: (shape) => `a whole number${bounds(shape)}`,
  number: (shape) => `a number${bounds(shape)}`,
  boolean: () => 'true or false',
  null: () => 'null',
  array: describeList,
  object: () => 'a map of names to values',
};

function bounds({ minimum, maximum, exclusiveMinimum }: Shape): string {
  return [
    minimum === undefined ? '' : `, at least ${minimum}`,
    exclusiveMinimum === undefined ? '' : `, greater than ${exclusiveMinimum}`,
    maximum === undefined ? '' : `, at most ${maximum}`,
  ].join('');
}

function describeList({ items }: Shape): string {
  return items === undefined || items.type === 'object'
    ? 'a list of maps'
    : `a list, each entry ${describeShape(items)}`;
}

function describeText({ format, minLength }: Shape): string {
  if (format !== undefined && Object.hasOwn(FORMATS, format)) return FORMATS[format as FormatName].words;
  return minLength === undefined ? 'text' : 'text that is not empty';
}

const PREVIEW_LENGTH = 60;

/** A value, short enough for a sentence. Lists and maps are not shown, because they may hold secrets. */
export function preview(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value !== 'string') return `${value as number | boolean}`;
  const shown = withoutPassword(value);
  return JSON.stringify(shown.length > PREVIEW_LENGTH ? `${shown.slice(0, PREVIEW_LENGTH)}…` : shown);
}
