import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { skipWithout } from '../support/sip/program.ts';
import { startTelephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';

/** Every answer of the table in docs/api/telephony.md, "Dialing", from sipp. */

const skip = skipWithout('sipp');

type Row = {
  answer: string;
  /** Text of a Reason header. */
  reason?: string;
  rings?: true;
  status: string;
  disconnect: 'error' | null;
};

const busy = { status: 'busy', disconnect: null } as const;
const noAnswer = { status: 'no_answer', disconnect: null } as const;
const failed = { status: 'failed', disconnect: 'error' } as const;

const rows: readonly Row[] = [
  { answer: '486 Busy Here', ...busy },
  { answer: '486 Busy Here', rings: true, ...busy },
  { answer: '600 Busy Everywhere', ...busy },
  { answer: '603 Decline', ...busy },
  { answer: '603 Network Blocked', ...failed },
  { answer: '603 Decline', reason: 'flagged by analytics', ...failed },
  { answer: '480 Temporarily Unavailable', ...noAnswer },
  { answer: '408 Request Timeout', rings: true, ...noAnswer },
  { answer: '487 Request Terminated', rings: true, ...noAnswer },
  { answer: '404 Not Found', ...failed },
  { answer: '410 Gone', ...failed },
  { answer: '484 Address Incomplete', ...failed },
  { answer: '604 Does Not Exist Anywhere', ...failed },
  { answer: '608 Rejected', ...failed },
  { answer: '403 Forbidden', ...failed },
  { answer: '488 Not Acceptable Here', ...failed },
  { answer: '302 Moved Temporarily', ...failed },
  { answer: '500 Server Internal Error', ...failed },
  { answer: '503 Service Unavailable', rings: true, ...failed },
  { answer: '503 Service Unavailable', ...failed },
];

for (const transport of ['udp', 'tcp'] as const) {
  suite(`over ${transport.toUpperCase()}`, skip, () => {
    const telephony = startTelephony({ after });

    for (const { answer, reason, rings, status, disconnect } of rows) {
      const heard = `${rings ? 'ringing, then ' : ''}${answer}${reason ? ` (${reason})` : ''}`;
      test(`${heard} ends the call as ${status}`, async (t) => {
        const { call, ended } = await telephony;
        const [code, ...words] = answer.split(' ');
        const keys = {
          status: code!,
          phrase: words.join(' '),
          reason: reason ? `SIP;text="${reason}"` : 'Q.850;cause=31',
        };
        const sipp = await startSipp(t, rings ? 'ring-and-refuse' : 'refuse', { transport, keys });
        const over = await sipp.agrees(ended(await call(sipp.uri, { transport })));
        assert.deepEqual(
          [over.status, over.disconnect_reason, over.error_message, over.sip.status_code],
          [status, disconnect, `SIP ${answer}${reason ? `: ${reason}` : ''}`, Number(code)],
        );
      });
    }
  });
}

test('607 adds the phone to the do-not-call list', skip, async (t) => {
  const { server, call, ended } = await startTelephony(t);
  const keys = { status: '607', phrase: 'Unwanted', reason: 'Q.850;cause=21' };
  const sipp = await startSipp(t, 'refuse', { keys });
  const to = aPhone();
  const over = await sipp.agrees(ended(await call(sipp.uri, {}, to)));
  assert.deepEqual([over.status, over.error_message], ['failed', 'SIP 607 Unwanted']);
  const listed = dataOf(await server.get<Array<{ phone: string; reason: string }>>('/do-not-call'));
  assert.deepEqual(
    listed.map(({ phone, reason }) => [phone, reason]),
    [[to, '607 Unwanted']],
  );
});
