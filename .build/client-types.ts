import type { Schema } from '../src/http/openapi/schema.ts';

/** The TypeScript type of values that conform to a schema. */
export function typeOf(schema: Schema): string {
  const { $ref: reference } = schema;
  if (reference !== undefined) return reference.split('/').at(-1)!;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return [schema.type ?? 'unknown']
    .flat()
    .map((type) => plainType(type, schema))
    .join(' | ');
}

function plainType(type: string, schema: Schema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties, patternProperties, required = [] }: Schema): string {
  const [pattern] = Object.values(patternProperties ?? {});
  if (pattern) return `Record<string, ${typeOf(pattern)}>`;
  if (!properties) return 'Record<string, unknown>';
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description)}${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};\n`,
  );
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}}`;
}

const keyOf = (name: string): string => (/^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** A doc comment. The text cannot end it early: the end marker is split by a space. */
export const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`;
