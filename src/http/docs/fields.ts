import type { Schema } from '../openapi/schema.ts';
import type { Document } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';
import { type Html, html, prose } from './html.ts';

const schemaName = ({ $ref: reference }: Schema): string | undefined =>
  /^#\/components\/schemas\/(\w+)$/.exec(reference ?? '')?.[1];

/** Names a schema's type; a named schema becomes a link to its section. */
export function typeOf(schema: Schema): Html {
  const name = schemaName(schema);
  if (name !== undefined) return html`<a href="/docs/reference/schemas#schema-${name}">${name}</a>`;
  if (schema.anyOf)
    return html`${schema.anyOf.map((branch, index) => html`${index > 0 ? ' or ' : ''}${typeOf(branch)}`)}`;
  if (schema.items) return html`list of ${typeOf(schema.items)}${orNull(schema)}`;
  if (schema.enum) {
    const values = schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code> `);
    return html`${values}`;
  }
  const [plain = 'any'] = [schema.type ?? []].flat();
  return html`${schema.format ?? plain}${orNull(schema)}`;
}

const orNull = ({ type }: Schema): string => ([type].flat().includes('null') ? ' or null' : '');

/** Describes the limits that a client must observe, such as "1 to 500". */
function boundsOf(schema: Schema): string {
  const range = (from: number | undefined, to: number | undefined, unit: string): string[] => {
    if (from === undefined && to === undefined) return [];
    if (to === undefined || to === Number.MAX_SAFE_INTEGER) return from ? [`at least ${from}${unit}`] : [];
    return [from === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`];
  };
  return [
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' entries'),
  ].join(', ');
}

/** The schema's description, followed by its limits and its default. */
export function descriptionOf(schema: Schema, description = schema.description): Html {
  const bounds = boundsOf(schema);
  const fallback = defaultOf(schema, description);
  if (description === undefined) return prose([bounds, fallback].filter((rule) => rule !== '').join('; '));
  if (!description.endsWith('.'))
    return prose([description, bounds, fallback].filter((rule) => rule !== '').join('; '));
  const range = bounds === '' ? '' : ` Range: ${bounds}.`;
  return prose(`${description}${range}${fallback === '' ? '' : ` The ${fallback}.`}`);
}

/** Unless the description says it in words. */
const defaultOf = ({ default: value }: Schema, description = ''): string =>
  value === undefined || /\bdefault\b/i.test(description) ? '' : `default is \`${JSON.stringify(value)}\``;

type Row = { path: string; schema: Schema; required: boolean };

/** The fields of an object, including those of nested objects without a section of their own. */
function rowsOf(schema: Schema, path: string): Row[] {
  const container = schema.items ? { schema: schema.items, path: `${path}[]` } : { schema, path };
  const { properties, required = [] } = container.schema;
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const fieldPath = container.path === '' ? name : `${container.path}.${name}`;
    return [{ path: fieldPath, schema: property, required: required.includes(name) }, ...rowsOf(property, fieldPath)];
  });
}

/** A table of the fields of an object or of a list's items; empty if there are none. */
export function fieldsTable(document: Document, schema: Schema, caption: string): Html {
  const rows = rowsOf(resolve(document, schema), '');
  if (rows.length === 0) return html``;
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">Field</th>
        <th scope="col">Type</th>
        <th scope="col">Description</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html` <tr>
            <th scope="row"><code>${row.path}</code>${row.required ? html` <em>required</em>` : ''}</th>
            <td>${typeOf(row.schema)}</td>
            <td>${descriptionOf(row.schema)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
