import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sampleBody } from '../../../src/features/webhooks/payload.ts';
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

test('a body like that of a call is stored in less than half of its length', () => {
  const event = {
    orgId: columns.orgId,
    agentId: columns.agentId,
    agentName: 'Robin',
    callId: columns.eventId,
    endedAt: 0,
  };
  const sample = sampleBody(event).replace('"test":true,', '');
  const { transcripts, ...data } = JSON.parse(sample).data;
  const body = JSON.stringify({ event: 'call.completed', org_id: columns.orgId, data: { ...data, transcripts: [] } });
  assert.ok(transcripts.length > 0);
  const stored = shortBody(body, columns);
  assert.equal(wholeBody({ body: stored, transcripts: null, ...columns }), body);
  assert.ok(
    stored.length < body.length / 2,
    `${stored.length} of ${body.length} characters: ${JSON.stringify(stored)}`,
  );
  assert.doesNotMatch(stored, /"(?!transcripts|metadata|sentiment|disposition|goals_met|next_steps)\w+":/);
});

test('parts in other places, such as the metadata, are restored there', () => {
  const part = fc.constantFrom(
    ',"status":"',
    '","status":"',
    ',"summary":',
    ',"attempt":',
    '","ended_at":"',
    '{"event":"call.completed","org_id":"',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.json(), fc.constantFrom(...Object.values(columns)))), (pieces) => {
      const body = `{"data":${pieces.join('')}}`;
      assert.equal(wholeBody({ body: shortBody(body, columns), transcripts: null, ...columns }), body);
    }),
  );
});

test('a body that was shortened by a release without part marks is read whole', () => {
  const body = '\u0001{"event":"call.completed","org_id":"\u0005","data":{"call_id":"\u0004","agent_id":"\u0006"}}';
  const { eventId, orgId, agentId } = columns;
  assert.equal(
    wholeBody({ body, transcripts: null, ...columns }),
    `{"event":"call.completed","org_id":"${orgId}","data":{"call_id":"${eventId}","agent_id":"${agentId}"}}`,
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
