import type { Fault } from '../../base/errors.ts';
import type { TSchema } from '../../kernel/schema.ts';

type SchemaNode = TSchema & { properties?: Record<string, TSchema>; items?: TSchema; maxItems?: number };

/** Truncates lists that are too long, in place, and adds a fault for each to `faults`. */
type ListTruncator = (value: unknown, path: string, faults: Fault[]) => void;

/**
 * Builds a function that enforces `maxItems` before validation: otherwise the validator would check a million entries, collecting the
 * faults of each, before reporting that there are too many. It skips everything that does not match the schema. Undefined for a
 * schema without bounded lists.
 */
export function listTruncator(schema: SchemaNode): ListTruncator | undefined {
  if (schema.items) return truncatorOfList(schema.maxItems ?? Infinity, listTruncator(schema.items));
  return schema.properties ? truncatorOfObject(schema.properties) : undefined;
}

function truncatorOfList(maxItems: number, truncateItem: ListTruncator | undefined): ListTruncator | undefined {
  if (maxItems === Infinity && !truncateItem) return undefined;
  return (list, path, faults) => {
    if (!Array.isArray(list)) return;
    if (list.length > maxItems) {
      list.length = maxItems;
      faults.push({ path, message: `must have at most ${maxItems} entries` });
    }
    if (truncateItem) for (const [index, item] of list.entries()) truncateItem(item, `${path}[${index}]`, faults);
  };
}

function truncatorOfObject(properties: Record<string, TSchema>): ListTruncator | undefined {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const truncate = listTruncator(schema);
    return truncate ? [{ name, truncate }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, path, faults) => {
    if (value === null || typeof value !== 'object') return;
    const record = value as Record<string, unknown>;
    for (const { name, truncate } of fields) {
      if (Object.hasOwn(record, name)) truncate(record[name], path === '' ? name : `${path}.${name}`, faults);
    }
  };
}
