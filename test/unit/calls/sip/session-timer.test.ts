import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { createSessionTimer } from '../../../../src/features/calls/carriers/sip/dialog/session-timer.ts';
import type { Response } from '../../../../src/features/calls/carriers/sip/message/message.ts';

const accepted = (expires: string): Response => ({
  status: 200,
  reason: 'OK',
  headers: [['Session-Expires', expires]],
  body: Buffer.alloc(0),
});

/** A timer of a call that we placed, whose time passes only by `pass`. */
function timerOf(t: TestContext, expires: string) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const counts = { renewals: 0, ends: 0 };
  const timer = createSessionTimer({
    opening: accepted(expires),
    refresh: () => (counts.renewals += 1),
    expired: () => (counts.ends += 1),
  });
  return { timer, counts, pass: (seconds: number) => t.mock.timers.tick(seconds * 1000) };
}

test('the session is renewed at half its time, again and again', (t) => {
  const { timer, counts, pass } = timerOf(t, '90;refresher=uac');
  pass(44.9);
  assert.equal(counts.renewals, 0);
  pass(0.1);
  assert.equal(counts.renewals, 1);
  timer.answered(accepted('90;refresher=uac'));
  pass(45);
  assert.deepEqual(counts, { renewals: 2, ends: 0 });
});

test('a renewal that is refused is tried again after 2.1 to 4 s, until the session would end', (t) => {
  const { timer, counts, pass } = timerOf(t, '90;refresher=uac');
  pass(45);
  timer.refused();
  pass(2);
  assert.equal(counts.renewals, 1);
  pass(2);
  assert.equal(counts.renewals, 2);
  for (let refusals = 0; counts.ends === 0; refusals += 1) {
    assert.ok(refusals < 20, 'it gives up');
    timer.refused();
    pass(4);
  }
  assert.ok(counts.renewals >= 10);
});

test('a renewal that is accepted after a refusal goes on as ever', (t) => {
  const { timer, counts, pass } = timerOf(t, '90;refresher=uac');
  pass(45);
  timer.refused();
  pass(4);
  timer.answered(accepted('90;refresher=uac'));
  pass(44.9);
  assert.equal(counts.renewals, 2);
  pass(0.1);
  assert.deepEqual(counts, { renewals: 3, ends: 0 });
});

test('a session that the other side does not renew ends shortly before its time', (t) => {
  const { counts, pass } = timerOf(t, '90;refresher=uas');
  pass(59);
  assert.equal(counts.ends, 0);
  pass(1);
  assert.deepEqual(counts, { renewals: 0, ends: 1 });
});
