import { FORMATS } from './formats.ts';
import type { FormatName } from './formats.ts';
import type { Shape } from './settings.ts';

/** What a value must be, in words that complete "<setting> must be …": `a whole number, at least 1`. */
export function describe(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(describe).join(', or ');
  if (shape.enum !== undefined) return `one of ${shape.enum.join(', ')}`;
  switch (shape.type) {
    case 'integer':
      return `a whole number${bounds(shape)}`;
    case 'number':
      return `a number${bounds(shape)}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    case 'array':
      return describeList(shape);
    case 'object':
      return 'a map of names to values';
    default:
      return describeText(shape);
  }
}

function bounds({ minimum, maximum, exclusiveMinimum }: Shape): string {
  return [
    minimum === undefined ? '' : `, at least ${minimum}`,
    exclusiveMinimum === undefined ? '' : `, greater than ${exclusiveMinimum}`,
    maximum === undefined ? '' : `, at most ${maximum}`,
  ].join('');
}

function describeList({ items }: Shape): string {
  return items === undefined || items.type === 'object' ? 'a list of maps' : `a list, each entry ${describe(items)}`;
}

function describeText({ format, minLength }: Shape): string {
  if (format !== undefined && Object.hasOwn(FORMATS, format)) return FORMATS[format as FormatName].words;
  return minLength === undefined ? 'text' : 'text that is not empty';
}

const PREVIEW_LENGTH = 60;

/** A value that was given, short enough for a sentence. Lists and maps are only called that: they may hold secrets. */
export function preview(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value !== 'string') return String(value);
  return JSON.stringify(value.length > PREVIEW_LENGTH ? `${value.slice(0, PREVIEW_LENGTH)}…` : value);
}

/** The masked form of a secret that is set, in `config print` and in faults. */
export const MASK = '********';
