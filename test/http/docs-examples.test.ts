import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordExamples } from '../../.build/examples/record.ts';
import type { RecordedExamples } from '../../src/http/docs/examples/recorded.ts';
import { examplesPath } from '../../src/http/docs/guides/source.ts';
import { describedRoutes, plainEndpoints } from '../../src/http/routes.ts';
import { guidesOfCheckout } from '../../src/main/guides.ts';

const kept = JSON.parse(guidesOfCheckout()[examplesPath]!) as RecordedExamples;

/** Operations whose example is made from their schema, and why. */
const withoutRecording: Readonly<Record<string, string>> = {
  checkPhoneNumber: 'asks a trunk by SIP',
  createTestCall: 'needs the carrier sip and a microphone',
  getCallRecording: 'simulated calls have no sound',
  getCallEnvelope: 'simulated calls have no sound',
  deleteCallRecording: 'simulated calls have no sound',
  watchLive: 'does not end',
};

test('the recorded examples of the reference are what the server answers', async () => {
  const answered = await recordExamples();
  for (const [operation, example] of Object.entries(answered))
    assert.deepEqual(kept[operation], example, `${operation}: run \`npm run generate\``);
  assert.deepEqual(Object.keys(kept), Object.keys(answered));
});

test('every operation has a recorded example or a reason for having none', () => {
  const routes = describedRoutes({ testClock: true }).filter(({ undocumented }) => !undocumented);
  const plain = plainEndpoints.filter(({ path }) => !/^\/(?:docs|openapi)/.test(path));
  const operations = [...routes, ...plain].map(({ operationId }) => operationId);
  const missing = operations.filter((operation) => !(operation in kept) && !(operation in withoutRecording));
  assert.deepEqual(missing, [], 'add them to .build/examples/scenario.ts');
  assert.deepEqual(
    Object.keys(withoutRecording).filter((operation) => operation in kept || !operations.includes(operation)),
    [],
  );
});

test('no recorded example has a secret or an address of this machine', () => {
  const text = JSON.stringify(kept);
  assert.doesNotMatch(text, /pk_[\w-]{12}|whsec_[\w+/]{8}|eyJ[\w-]+\.|token=\w|127\.0\.0\.1:(?!8080|3000)\d/);
});
