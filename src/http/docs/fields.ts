import type { Schema } from '../openapi/schema.ts';
import type { Document } from './openapi-types.ts';
import { resolve } from './openapi-types.ts';
import { type Html, html, prose } from './html.ts';

const shapeName = ({ $ref: reference }: Schema): string | undefined =>
  /^#\/components\/schemas\/(\w+)$/.exec(reference ?? '')?.[1];

/** A schema's type in a few words; named shapes are links to where they stand. */
export function typeOf(schema: Schema): Html {
  const name = shapeName(schema);
  if (name !== undefined) return html`<a href="#shape-${name}">${name}</a>`;
  if (schema.anyOf) return html`${schema.anyOf.map((one, index) => html`${index > 0 ? ' or ' : ''}${typeOf(one)}`)}`;
  if (schema.items) return html`list of ${typeOf(schema.items)}${orNull(schema)}`;
  if (schema.enum) {
    const values = schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code> `);
    return html`${values}`;
  }
  const [plain = 'any'] = [schema.type ?? []].flat();
  return html`${schema.format ?? plain}${orNull(schema)}`;
}

const orNull = ({ type }: Schema): string => ([type].flat().includes('null') ? ' or null' : '');

/** Its bounds, as far as a sender has to know them. */
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

export function remarksOn(schema: Schema, description = schema.description): Html {
  const bounds = boundsOf(schema);
  const stop = description !== undefined && bounds !== '' ? '; ' : '';
  return html`${description === undefined ? undefined : prose(description)}${stop}${bounds}`;
}

type Row = { path: string; schema: Schema; required: boolean };

/** The fields of an object, those of nameless objects within it under their path. */
function rowsOf(schema: Schema, path: string): Row[] {
  const inner = schema.items ? { schema: schema.items, path: `${path}[]` } : { schema, path };
  const { properties, required = [] } = inner.schema;
  return Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const at = inner.path === '' ? name : `${inner.path}.${name}`;
    return [{ path: at, schema: property, required: required.includes(name) }, ...rowsOf(property, at)];
  });
}

/** A table of a schema's fields; of a list's items likewise. Nothing when it has none. */
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
        <th scope="col">What it is</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html` <tr>
            <th scope="row"><code>${row.path}</code>${row.required ? html` <em>required</em>` : ''}</th>
            <td>${typeOf(row.schema)}</td>
            <td>${remarksOn(row.schema)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
