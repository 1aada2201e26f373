import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { answerTo, createSessionTimer } from '../../../src/telephony/dialog/session-timer.ts';
import type { Header, Message, Request, Response } from '../../../src/telephony/message/message.ts';

const accepted = (expires: string): Response => ({
  status: 200,
  reason: 'OK',
  headers: [['Session-Expires', expires]],
  body: Buffer.alloc(0),
});

const refusal = (status: number, minSec?: string): Response => ({
  status,
  reason: 'No',
  headers: minSec === undefined ? [] : [['Min-SE', minSec]],
  body: Buffer.alloc(0),
});

const invite = (...headers: Header[]): Request => ({
  method: 'INVITE',
  uri: 'sip:1@example.com',
  headers,
  body: Buffer.alloc(0),
});

/** A timer whose time passes only by `pass`, of a call that was opened by this message: by default a 2xx to our INVITE. */
function timerOf(t: TestContext, expires: string, opening: Message = accepted(expires)) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const counts = { renewals: 0, ends: 0 };
  const asked: Header[][] = [];
  const timer = createSessionTimer({
    opening,
    ownSec: 1800,
    refresh(headers) {
      counts.renewals += 1;
      asked.push([...headers]);
    },
    expired: () => (counts.ends += 1),
  });
  return { timer, counts, asked, pass: (seconds: number) => t.mock.timers.tick(seconds * 1000) };
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
  timer.refused(refusal(491));
  pass(2);
  assert.equal(counts.renewals, 1);
  pass(2);
  assert.equal(counts.renewals, 2);
  for (let refusals = 0; counts.ends === 0; refusals += 1) {
    assert.ok(refusals < 20, 'it gives up');
    timer.refused(refusal(491));
    pass(4);
  }
  assert.ok(counts.renewals >= 10);
});

test('a renewal that is accepted after a refusal goes on as ever', (t) => {
  const { timer, counts, pass } = timerOf(t, '90;refresher=uac');
  pass(45);
  timer.refused(refusal(491));
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

test('a renewal that is too short for the other side asks for a longer session at once', (t) => {
  const { timer, counts, asked, pass } = timerOf(t, '90;refresher=uac');
  pass(45);
  timer.refused(refusal(422, '600'));
  assert.equal(counts.renewals, 2);
  assert.deepEqual(asked[1], [
    ['Supported', 'timer'],
    ['Session-Expires', '600;refresher=uac'],
    ['Min-SE', '600'],
  ]);
  timer.answered(accepted('600;refresher=uac'));
  pass(299.9);
  assert.equal(counts.renewals, 2);
  pass(0.1);
  assert.equal(counts.renewals, 3);
});

test('a 422 that wants nothing longer is tried again later, like any refusal', (t) => {
  const { timer, counts, pass } = timerOf(t, '90;refresher=uac');
  pass(45);
  timer.refused(refusal(422, '90'));
  assert.equal(counts.renewals, 1);
  pass(4);
  assert.equal(counts.renewals, 2);
});

test('a caller that asks for no session timer gets ours, which we renew', (t) => {
  const { counts, pass } = timerOf(t, '', invite());
  pass(899.9);
  assert.deepEqual(counts, { renewals: 0, ends: 0 });
  pass(0.1);
  assert.deepEqual(counts, { renewals: 1, ends: 0 });
});

test('a caller that renews is awaited, and one that cannot is renewed by us', (t) => {
  const renewing = timerOf(t, '', invite(['Supported', 'timer'], ['Session-Expires', '90']));
  renewing.pass(60);
  assert.deepEqual(renewing.counts, { renewals: 0, ends: 1 });
});

for (const [what, headers, expected] of [
  [
    'that asks for nothing',
    [],
    [
      ['Supported', 'timer'],
      ['Session-Expires', '1800;refresher=uas'],
    ],
  ],
  [
    'that knows timers and asks for none',
    [['Supported', 'timer, replaces']],
    [
      ['Supported', 'timer'],
      ['Require', 'timer'],
      ['Session-Expires', '1800;refresher=uas'],
    ],
  ],
  [
    'that renews',
    [
      ['Supported', 'timer'],
      ['Session-Expires', '120;refresher=uac'],
    ],
    [
      ['Supported', 'timer'],
      ['Require', 'timer'],
      ['Session-Expires', '120;refresher=uac'],
    ],
  ],
  [
    'that wants us to renew',
    [
      ['Require', 'timer'],
      ['Session-Expires', '120;refresher=uas'],
    ],
    [
      ['Supported', 'timer'],
      ['Require', 'timer'],
      ['Session-Expires', '120;refresher=uas'],
    ],
  ],
  [
    'whose proxy asks for a timer that the caller does not know',
    [['Session-Expires', '120']],
    [
      ['Supported', 'timer'],
      ['Session-Expires', '120;refresher=uas'],
    ],
  ],
  [
    'that accepts only longer sessions than ours',
    [['Min-SE', '3600']],
    [
      ['Supported', 'timer'],
      ['Session-Expires', '3600;refresher=uas'],
    ],
  ],
] as ReadonlyArray<readonly [string, Header[], Header[]]>) {
  test(`a caller ${what} is answered as RFC 4028 says`, () => {
    assert.deepEqual(answerTo(invite(...headers), 1800), { tooShort: false, headers: expected });
  });
}

test('a session of less than 90 s is too short, where the caller knows what that means', () => {
  const [short, supported]: Header[] = [
    ['Session-Expires', '60'],
    ['Supported', 'timer'],
  ];
  assert.deepEqual(answerTo(invite(short!, supported!), 1800), { tooShort: true, headers: [['Min-SE', '90']] });
  assert.equal(answerTo(invite(short!), 1800).tooShort, false);
  assert.deepEqual(answerTo(invite(), 0), { tooShort: false, headers: [] });
});
