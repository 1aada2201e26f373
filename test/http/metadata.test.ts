import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { dataOf, startTestServer } from '../support/server.ts';
import { propertyRuns } from '../support/property-runs.ts';

const server = await startTestServer();
after(() => server.stop());

/** The raw text of `metadata` in a response, as a client with another JSON parser sees it. */
const metadataIn = (answer: string): string => /"metadata":(\{.*\}),"timezone"/s.exec(answer)![1]!;

async function roundTrip(metadata: string): Promise<{ created: string; fetched: string }> {
  const created = await server.post('/contacts/', `{"metadata": ${metadata}}`);
  const { id } = dataOf(created);
  const fetched = await server.get(`/contacts/${id}`);
  return { created: metadataIn(created.text), fetched: metadataIn(fetched.text) };
}

const metadataTexts = {
  'keys in every case': '{"camelCase":1,"snake_case":2,"Kebab-Case":3,"UPPER":4," ":5,"":6}',
  'keys named like fields of a contact': '{"metadata":{"metadata":{}},"first_name":"x","id":1,"firstName":"y"}',
  'keys of Object.prototype':
    '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":null,"hasOwnProperty":0}',
  'numbers with more digits than a double can hold':
    '{"id":12345678901234567890,"pi":3.14159265358979323846264338327950288}',
  'numbers in unusual notations': '{"a":1.0,"b":1e3,"c":-0,"d":1E-7,"e":0.10,"f":100000000000000000000000,"g":-0.0}',
  'numbers outside the range of doubles': '{"huge":1e400,"tiny":1e-400,"negative":-1e999}',
  'characters of every Unicode plane': '{"é":"ü","李":"🦜👩‍👩‍👧","rtl":"שלום","combining":"é","zero width":"a​b"}',
  'control characters and lone surrogates':
    '{"nul":"a\\u0000b","half":"\\ud83d","other half":"\\udc00x","bell":"\\u0007"}',
  escapes: '{"quote":"\\"","slash":"/","backslash":"\\\\","lines":"\\n\\r\\t"}',
  'null and empty values': '{"null":null,"object":{},"list":[],"text":"","false":false,"zero":0}',
  'nested arrays': '{"list":[1,1.50,"1",[null,[{"a":[]}]],{"b":2.0}]}',
};

for (const [name, text] of Object.entries(metadataTexts)) {
  test(`metadata is returned byte for byte: ${name}`, async () => {
    const { created, fetched } = await roundTrip(text);
    assert.equal(created, text);
    assert.equal(fetched, text);
  });
}

test('metadata survives a PATCH of other fields, lists, and contacts added through a campaign', async () => {
  const text = '{"__proto__":1.0,"snake_case":{"camelCase":12345678901234567890}}';
  const { id } = dataOf(await server.post('/contacts/', `{"metadata":${text}}`));
  assert.equal(metadataIn((await server.patch(`/contacts/${id}`, { company: 'x' })).text), text);
  const replaced = '{"only":0.30}';
  assert.equal(metadataIn((await server.patch(`/contacts/${id}`, `{"metadata":${replaced}}`)).text), replaced);
  assert.equal(metadataIn((await server.get('/contacts/?limit=1')).text), replaced);

  const campaign = dataOf(await server.post('/campaigns/', { name: 'x' }));
  const contacts = `{"contacts":[{"phone":"+4930901820","firstName":"Ada","metadata":${text}}]}`;
  assert.equal((await server.post(`/campaigns/${campaign.id}/contacts`, contacts)).status, 200);
  assert.equal(metadataIn((await server.get('/contacts/?q=%2B4930901820')).text), text);
});

test('any JSON object is stored as metadata unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 })), async (metadata) => {
      const { created, fetched } = await roundTrip(JSON.stringify(metadata));
      assert.deepEqual(JSON.parse(created), JSON.parse(JSON.stringify(metadata)));
      assert.equal(fetched, created);
    }),
    { numRuns: propertyRuns({ few: 15, all: 60 }) },
  );
});

test('numbers outside metadata are parsed as numbers', async () => {
  const created = await server.post('/contacts/', '{"first_name":"1.0","metadata":{"a":1.0},"do_not_call":false}');
  assert.equal(dataOf(created)['first_name'], '1.0');
  const number = await server.post(
    '/phone-numbers/import',
    '{"phone":"+4930901821","termination_uri":"sip.example.com"}',
  );
  const patched = await server.patch(`/phone-numbers/${dataOf(number).id}`, '{"max_concurrent":5.0,"max_cps":2e0}');
  assert.deepEqual([dataOf(patched)['max_concurrent'], dataOf(patched)['max_cps']], [5, 2]);
});
