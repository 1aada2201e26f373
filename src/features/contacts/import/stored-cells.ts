import { JsonObject } from '../../../base/json.ts';
import { maxSampleChars } from './outcome.ts';
import type { ColumnReport } from './columns.ts';

/** A row as it will be stored: its fields by their names on the wire, without what could not be read. */
export type StoredRow = { fields: Readonly<Record<string, unknown>>; tags: readonly string[] };

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.slice(0, maxSampleChars);
}

/** The cells of a row as they will be stored, in the order of the file's columns, up to 200 characters each; null for one that is left out. */
export function storedCells(columns: readonly ColumnReport[], { fields, tags }: StoredRow): Array<string | null> {
  const metadata = fields['metadata'] instanceof JsonObject ? fields['metadata'] : undefined;
  return columns.map(({ to }) => {
    if (to === null) return null;
    if (to === 'tags') return tags.length === 0 ? null : textOf(tags.join(', '));
    if (to === 'metadata') return textOf(metadata?.text);
    const key = /^metadata\.(.+)$/s.exec(to)?.[1];
    if (key === undefined) return textOf(fields[to]);
    const all = metadata?.parsed() ?? {};
    return Object.hasOwn(all, key) ? textOf(all[key]) : null; // a column may have the name of something inherited
  });
}
