import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortBody, transcriptsMark, wholeBody } from '../../../src/features/webhooks/stored-body.ts';

const columns = {
  eventId: '01939b9e-0000-7000-8000-000000000001',
  orgId: '01939b9e-0000-7000-8000-000000000002',
  agentId: '01939b9e-0000-7000-8000-000000000003',
  subject: '+493090182000',
};
/** Text of a JSON body, in which the columns may stand anywhere; metadata keeps its line breaks. */
const bodies = fc
  .array(fc.oneof(fc.json(), fc.constantFrom(...Object.values(columns), '\n', '\t', '$&', '$1', '👋')))
  .map((parts) => `{"data":"${parts.join('')}"}`);

test('a body is stored shorter and read as it was', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const stored = shortBody(body, columns);
      assert.ok(Object.values(columns).every((value) => !stored.includes(value)));
      assert.equal(wholeBody({ body: stored, transcripts: null, ...columns }), body);
    }),
  );
});

test('transcripts return to their place, whatever they contain', () => {
  fc.assert(
    fc.property(
      bodies,
      fc.oneof(fc.json(), fc.constantFrom('["$&"]', '["$\'"]')),
      bodies,
      (start, transcripts, end) => {
        const stored = shortBody(start + transcriptsMark + end, columns);
        assert.equal(wholeBody({ body: stored, transcripts, ...columns }), start + transcripts + end);
      },
    ),
  );
});

test('a body that was stored whole is left alone', () => {
  assert.equal(wholeBody({ body: '{"data":{}}', transcripts: null, ...columns }), '{"data":{}}');
});
