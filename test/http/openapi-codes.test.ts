import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enumerationsOf, vocabularies, vocabularyOf } from '../../src/http/docs/codes/codes.ts';
import type { Document } from '../../src/http/docs/openapi-types.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { describedRoutes } from '../../src/http/routes.ts';

const document = openApiDocument(describedRoutes({ testClock: true }), '0') as unknown as Document;
const operations = [...Object.values(document.paths), ...Object.values(document.webhooks)].flatMap((item) =>
  Object.values(item),
);

test('every value of every closed set has a meaning at /docs, and every meaning a value', () => {
  const missing = new Set<string>();
  const used = new Map<string, Set<string>>();
  for (const operation of operations)
    for (const enumeration of enumerationsOf(document, operation)) {
      const { field, values } = enumeration;
      const vocabulary = vocabularyOf(enumeration);
      if (!vocabulary) missing.add(`${operation.operationId}: ${field} has ${values.join(', ')}`);
      else
        for (const value of field.includes('.') ? Object.keys(vocabulary.meanings) : values)
          used.set(vocabulary.name, (used.get(vocabulary.name) ?? new Set()).add(value));
    }
  assert.deepEqual([...missing], [], 'add them to src/http/docs/codes/');
  for (const { name, meanings } of vocabularies)
    for (const value of Object.keys(meanings)) assert.ok(used.get(name)?.has(value), `${name}: nothing has ${value}`);
});

test('the names of the tables of values differ, and their meanings are short phrases', () => {
  const names = vocabularies.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
  for (const { name, meanings } of vocabularies)
    for (const meaning of Object.values(meanings)) assert.match(meaning, /^\S.{1,200}[^.]$/, name);
});

test('the reasons of a redial are those that its answer may give', () => {
  const { properties } = document.components.schemas['RedialedCampaign']!;
  const { description } = properties!['left_out']!.items!.properties!['reason']!;
  const { meanings } = vocabularies.find(({ fields }) => fields.includes('left_out.reason'))!;
  assert.deepEqual(Object.keys(meanings).toSorted(), description!.split(', ').toSorted());
});
