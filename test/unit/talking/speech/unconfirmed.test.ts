import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnconfirmed } from '../../../../src/talking/speech/realtime/unconfirmed.ts';

test('an error that names no event refuses the oldest one that is not confirmed, if it comes soon', () => {
  let nowMs = 0;
  const commit = { type: 'input_audio_buffer.commit', event_id: 'commit' };
  const unconfirmed = createUnconfirmed(() => nowMs);
  const refused = (named?: string | null): unknown =>
    unconfirmed.received({ type: 'error', error: named === undefined ? {} : { event_id: named } }).error?.event_id;
  assert.equal(refused(null), null);
  unconfirmed.sent({ type: 'session.update', event_id: 'session' });
  unconfirmed.sent({ type: 'response.create', event_id: 'response-1' });
  unconfirmed.sent(commit);
  unconfirmed.received({ type: 'session.updated' });
  assert.equal(refused(), 'commit');
  assert.equal(refused(''), '');
  unconfirmed.sent(commit);
  assert.equal(refused('response-1'), 'response-1');
  nowMs = 2000;
  assert.equal(refused(null), null);
});
