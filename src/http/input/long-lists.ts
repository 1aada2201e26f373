import type { Fault } from '../../base/errors.ts';
import type { TSchema } from '../../kernel/schema.ts';

type Shape = TSchema & { properties?: Record<string, TSchema>; items?: TSchema; maxItems?: number };

/** Finds lists that are too long, cuts each in place to the length allowed, and names it. */
export type ListCutter = (value: unknown, path: string, faults: Fault[]) => void;

/**
 * For a schema with bounded lists in it. They are cut before anything else looks at them: the validator would judge a million
 * entries, each with its faults, before it said that there are too many. Passes over what is not what the schema says.
 */
export function listCutter(schema: Shape): ListCutter | undefined {
  if (schema.items) return ofList(schema.maxItems ?? Infinity, listCutter(schema.items));
  return schema.properties ? ofObject(schema.properties) : undefined;
}

function ofList(maxItems: number, cutItem: ListCutter | undefined): ListCutter | undefined {
  if (maxItems === Infinity && !cutItem) return undefined;
  return (list, path, faults) => {
    if (!Array.isArray(list)) return;
    if (list.length > maxItems) {
      list.length = maxItems;
      faults.push({ path, message: `must have at most ${maxItems} entries` });
    }
    if (cutItem) for (const [index, item] of list.entries()) cutItem(item, `${path}[${index}]`, faults);
  };
}

function ofObject(properties: Record<string, TSchema>): ListCutter | undefined {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const cut = listCutter(schema);
    return cut ? [{ name, cut }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, path, faults) => {
    if (value === null || typeof value !== 'object') return;
    const record = value as Record<string, unknown>;
    for (const { name, cut } of fields) {
      if (Object.hasOwn(record, name)) cut(record[name], path === '' ? name : `${path}.${name}`, faults);
    }
  };
}
