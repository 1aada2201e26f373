import type { Schema } from '../../openapi/schema.ts';
import { type Document, type Operation, type Parameter, resolve } from '../openapi-types.ts';
import { callCodes } from './call-codes.ts';
import { campaignCodes } from './campaign-codes.ts';
import { otherCodes } from './other-codes.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Those with fewer values first: an enum belongs to the first one that has its field and all of its values. */
export const vocabularies: readonly Vocabulary[] = [...callCodes, ...campaignCodes, ...otherCodes].toSorted(
  (a, b) => Object.keys(a.meanings).length - Object.keys(b.meanings).length,
);

/** A field with a closed set of values; `field` is its name, or with that of the field around it. */
export type Enumeration = { field: string; values: readonly string[] };

export const vocabularyOf = ({ field, values }: Enumeration): Vocabulary | undefined =>
  vocabularies.find(
    ({ fields, meanings }) => fields.includes(field) && values.every((value) => Object.hasOwn(meanings, value)),
  );

/** All fields of an operation with a closed set of codes (sentences are none): of its parameters, its body and its answers. */
export function enumerationsOf(document: Document, operation: Operation): Enumeration[] {
  const found: Enumeration[] = [];
  const seen = new Set<Schema>();
  const visit = (schema: Schema, field: string): void => {
    const target = resolve<Schema>(document, schema);
    if (seen.has(target)) return;
    seen.add(target);
    const values = (target.enum ?? []).filter(
      (value): value is string => typeof value === 'string' && !value.includes(' '),
    );
    if (values.length > 0) found.push({ field, values });
    for (const branch of target.anyOf ?? []) visit(branch, field);
    if (target.items) visit(target.items, field);
    for (const [name, property] of Object.entries(target.properties ?? {})) {
      if (field !== '' && openFields.has(`${field}.${name}`)) found.push({ field: `${field}.${name}`, values: [] });
      visit(property, name);
    }
  };
  for (const parameter of operation.parameters.map((one) => resolve<Parameter>(document, one)))
    visit(parameter.schema, parameter.name);
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) visit(schema, '');
  for (const response of Object.values(operation.responses)) {
    if ('$ref' in response) continue; // an error, whose codes stand in a table of their own
    for (const { schema } of Object.values(response.content ?? {})) visit(schema, '');
  }
  return found;
}

/** Fields whose values have meanings although their schema is open. */
const openFields = new Set(vocabularies.flatMap(({ fields }) => fields.filter((field) => field.includes('.'))));

/** A vocabulary with the values that some operations use, and the fields in which they use them. */
export type UsedVocabulary = { vocabulary: Vocabulary; fields: string[]; values: string[] };

/** The vocabularies of some operations, in the order in which they appear. */
export function usedVocabularies(document: Document, operations: readonly Operation[]): UsedVocabulary[] {
  const used = new Map<Vocabulary, { fields: Set<string>; values: Set<string> }>();
  for (const enumeration of operations.flatMap((operation) => enumerationsOf(document, operation))) {
    const vocabulary = vocabularyOf(enumeration);
    if (!vocabulary) continue;
    const use = used.get(vocabulary) ?? { fields: new Set(), values: new Set() };
    used.set(vocabulary, use);
    use.fields.add(enumeration.field);
    const values = enumeration.field.includes('.') ? Object.keys(vocabulary.meanings) : enumeration.values;
    for (const value of values) use.values.add(value);
  }
  return [...used].map(([vocabulary, { fields, values }]) => ({
    vocabulary,
    fields: [...fields],
    values: Object.keys(vocabulary.meanings).filter((value) => values.has(value)),
  }));
}
