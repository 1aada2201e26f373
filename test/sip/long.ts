import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { dataOf } from '../support/server.ts';
import { proxyCredentials, startRegistrarOfKamailio } from '../support/sip/kamailio.ts';
import { skipWithout } from '../support/sip/program.ts';
import { isEnded, startTelephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';
import { type CampaignRun, campaignSettings, runCampaign } from './campaign-run.ts';

/** `npm run test:sip:long`: takes minutes, and wants a machine that does nothing else. */

const skip = skipWithout('sipp', 'kamailio');
const run = async (t: TestContext, options: CampaignRun): Promise<void> =>
  runCampaign(t, (await startTelephony(t, campaignSettings)).server, options);

const campaign = { contacts: 500, concurrent: 50, talkMs: [2000, 8000] } as const;

test('a campaign of 500 contacts with 50 calls at once ends with exact statistics, webhooks and timelines', skip, (t) =>
  run(t, { ...campaign, stopMs: 0 }),
);

test('a trunk that stands still for a minute in the middle costs no contact', skip, (t) =>
  run(t, { ...campaign, stopMs: 60_000 }),
);

test(
  'a registrar that is gone for a minute is said to be unreachable, and has the account again after it',
  skip,
  async (t) => {
    const telephony = await startTelephony(t);
    const registrar = await startRegistrarOfKamailio(t, { maxExpires: 10 });
    const fields = { ...proxyCredentials, register: true, inbound_agent_id: telephony.agentId };
    const number = await telephony.number(registrar.uri, fields);
    type Registration = { state: string; detail: string | null; expires_at: string | null };
    const inState = async (wanted: string): Promise<Registration> => {
      for (;;) {
        const path = `/phone-numbers/import/${number.id}`;
        const { registration } = dataOf(await telephony.server.get<{ registration: Registration }>(path));
        if (registration.state === wanted) return registration;
        await pause(100);
      }
    };
    await inState('registered');
    await registrar.standStill(60_000, async () => {
      const { detail, expires_at: expiresAt } = await inState('unreachable');
      assert.match(detail!, /^no answer from .* within 32 s$/);
      assert.equal(expiresAt, null);
    });
    await inState('registered');
    const keys = { number: proxyCredentials.sip_username, talk_ms: '500' };
    await (await startSipp(t, 'caller', { target: registrar.uri, keys, args: ['-rtp_echo'] })).succeeded();
  },
);

suite('what takes half a minute', { ...skip, concurrency: true }, () => {
  test('a session that we renew survives a 491', async (t) => {
    const { call, ended } = await startTelephony(t);
    const sipp = await startSipp(t, 'renewed', { args: ['-rtp_echo'] });
    const over = await sipp.agrees(ended(await call(sipp.uri)));
    assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'customer_hangup']);
  });

  for (const [what, scenario] of [
    ['says nothing', 'silent'],
    ['says only that it tries', 'trying'],
  ] as const) {
    test(`a trunk that ${what} for 32 s is out of reach`, async (t) => {
      const { call, when } = await startTelephony(t);
      const sipp = await startSipp(t, scenario);
      const over = await when(await call(sipp.uri), isEnded);
      assert.deepEqual([over.status, over.disconnect_reason], ['failed', 'error']);
      assert.match(over.error_message ?? '', /no answer/);
      assert.equal(/^CANCEL /m.test(sipp.messages()), scenario === 'trying');
    });
  }
});
