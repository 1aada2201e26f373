import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { dataOf } from '../support/server.ts';
import { proxyCredentials, startRegistrarOfKamailio } from '../support/sip/kamailio.ts';
import { skipWithout } from '../support/sip/program.ts';
import { type SipCall, startTelephony, type Telephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';

/** Registrations at kamailio, which asks for a password, and calls that come over them. */

const skip = skipWithout('sipp', 'kamailio');

type Registration = { state: string; expires_at: string; detail: string };

async function registered({ server }: Telephony, id: string): Promise<Registration> {
  for (;;) {
    const { registration } = dataOf(await server.get<{ registration: Registration }>(`/phone-numbers/import/${id}`));
    if (registration.state === 'registered') return registration;
    assert.equal(registration.state, 'registering', registration.detail);
    await pause(20);
  }
}

const account = { ...proxyCredentials, register: true };

test(
  'a registrar that asks for a password keeps the account for as long as it likes, and calls come over it',
  skip,
  async (t) => {
    const telephony = await startTelephony(t);
    const { uri } = await startRegistrarOfKamailio(t, { maxExpires: 20 });
    const number = await telephony.number(uri, { ...account, inbound_agent_id: telephony.agentId });
    const { expires_at: expiresAt } = await registered(telephony, number.id);
    const leftMs = Date.parse(expiresAt) - Date.now();
    assert.ok(leftMs > 10_000 && leftMs <= 20_000, `${leftMs} ms`);
    const sipp = await startSipp(t, 'caller', {
      target: uri,
      keys: { number: proxyCredentials.sip_username, talk_ms: '500' },
      args: ['-rtp_echo'],
    });
    await sipp.succeeded();
    const [call] = dataOf(await telephony.server.get<SipCall[]>('/calls'));
    assert.deepEqual([call?.['direction'], call?.['callee_number']], ['inbound', number.phone]);
  },
);

test('a registrar that wants a longer time gets it', skip, async (t) => {
  const telephony = await startTelephony(t);
  const { uri } = await startRegistrarOfKamailio(t, { minExpires: 1800 });
  const number = await telephony.number(uri, account);
  const { expires_at: expiresAt } = await registered(telephony, number.id);
  assert.ok(Date.parse(expiresAt) - Date.now() > 1_700_000, expiresAt);
});
