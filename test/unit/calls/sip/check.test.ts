import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { App } from '../../../../src/kernel/app.ts';
import type { PhoneNumber } from '../../../../src/features/numbers/number.ts';
import { sipCarrier } from '../../../../src/features/calls/carriers/sip/carrier.ts';
import type { Line } from '../../../../src/features/calls/carriers/sip/line.ts';
import { soundFindings } from '../../../../src/features/calls/carriers/sip/doctor.ts';
import type { SipSettings } from '../../../../src/features/calls/carriers/sip/settings.ts';
import { parseMessage } from '../../../../src/telephony/message/parse.ts';
import type { Request } from '../../../../src/telephony/message/message.ts';
import { createTransactions } from '../../../../src/telephony/transaction/layer.ts';

const number = { id: 'n1', phone: '+4930901821', terminationUri: 'sip.example.com', transport: null } as PhoneNumber;

test('checks of a number that are asked for while one runs share its answer', async () => {
  const asked: Array<(reply: object) => void> = [];
  const thread = { request: () => new Promise((resolve) => asked.push(resolve)) };
  const line = { thread } as unknown as Line;
  const carrier = sipCarrier({} as never, { line: () => line, listen: () => Promise.resolve(line) });
  const check = (of: PhoneNumber) => carrier.check!({} as App, of);
  const reply = { check: { statusCode: 200, hop: null, durationMs: 3, detail: 'SIP 200 OK' } };
  const both = [check(number), check({ ...number })];
  const other = check({ ...number, id: 'n2' });
  assert.equal(asked.length, 2);
  for (const answer of asked) answer(reply);
  const [first, second] = await Promise.all(both);
  assert.equal(first, second);
  assert.equal((await other).statusCode, 200);
  const again = check(number);
  assert.equal(asked.length, 3, 'a later check asks anew');
  asked[2]!(reply);
  await again;
});

test('a transaction that is abandoned repeats nothing and hears nothing', () => {
  const transactions = createTransactions({
    mayInvite: () => true,
    send: () => Promise.resolve(),
    admits: () => false,
    onRequest: () => undefined,
    onStray: () => undefined,
  });
  const text =
    'OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\n' +
    'Call-ID: 1\r\nCSeq: 1 OPTIONS\r\n\r\n';
  const hop = { transport: 'udp', address: '127.0.0.1', port: 5060, serverName: 'b' } as const;
  const heard: unknown[] = [];
  const transaction = transactions.request(parseMessage(Buffer.from(text)) as Request, hop, {
    response: (response) => void heard.push(response),
    failed: (reason) => void heard.push(reason),
  });
  assert.equal(transactions.count(), 1);
  transaction.abandon();
  assert.equal(transactions.count(), 0);
  assert.deepEqual(heard, []);
});

test('doctor compares the calls that are allowed with their ports and with the files that may be open', () => {
  const sip = { rtp_port_min: 10_001, rtp_port_max: 10_101, max_calls: 50 } as SipSettings;
  const statuses = (settings: SipSettings, files?: number) =>
    soundFindings(settings, files).map(({ status }) => status);
  assert.deepEqual(statuses(sip, 2000), ['ok', 'ok']);
  assert.deepEqual(statuses({ ...sip, max_calls: 51 }, 613), ['warn', 'warn']);
});
