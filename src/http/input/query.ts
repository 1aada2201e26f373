import type { TObject } from '../../base/typebox.ts';
import type { Fault } from '../../base/errors.ts';

type Property = { type?: string | readonly string[] };

/**
 * Turns the text of query parameters into what the schema says they are: whole numbers, true/false, else text as it is. What does
 * not read as its type stays text, and validation names it. A parameter given twice is a fault.
 */
export function readQuery(query: Readonly<Record<string, string | string[] | undefined>>, schema: TObject) {
  const faults: Fault[] = [];
  const value = Object.create(null) as Record<string, unknown>; // `__proto__` is a name like any other
  for (const [name, given] of Object.entries(query)) {
    if (Array.isArray(given)) faults.push({ path: name, message: 'is given more than once' });
    else if (given !== undefined) value[name] = convert(given, typeOf(schema, name));
  }
  return { value, faults };
}

const typeOf = (schema: TObject, name: string): Property['type'] =>
  Object.hasOwn(schema.properties, name) ? (schema.properties[name] as Property).type : undefined;

function convert(text: string, type: Property['type']): unknown {
  if (type === 'integer' && /^-?\d{1,300}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
