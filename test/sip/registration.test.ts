import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { aPhone } from '../support/fixtures.ts';
import { dataOf } from '../support/server.ts';
import { startBaresip } from '../support/sip/baresip.ts';
import { proxyCredentials, startRegistrarOfKamailio, tlsFile } from '../support/sip/kamailio.ts';
import { startNat } from '../support/sip/nat.ts';
import { skipWithout } from '../support/sip/program.ts';
import { type SipCall, startTelephony, type Telephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';

/** Registrations at kamailio, which asks for a password, and calls that come over them. */

const skip = skipWithout('sipp', 'kamailio');

type Registration = { state: string; expires_at: string; contact: string; detail: string };

const registrationOf = async ({ server }: Telephony, id: string): Promise<Registration> =>
  dataOf(await server.get<{ registration: Registration }>(`/phone-numbers/import/${id}`)).registration;

async function registered(telephony: Telephony, id: string): Promise<Registration> {
  for (;;) {
    const registration = await registrationOf(telephony, id);
    if (registration.state === 'registered') return registration;
    assert.equal(registration.state, 'registering', registration.detail);
    await pause(20);
  }
}

const account = { ...proxyCredentials, register: true };

/** A caller of the registrar's who calls the account and talks for half a second. */
async function aCaller(t: TestContext, uri: string, header?: string): Promise<{ succeeded(): Promise<void> }> {
  const keys = { number: proxyCredentials.sip_username, talk_ms: '500', ...(header ? { called: header } : {}) };
  return startSipp(t, 'caller', { target: uri, keys, args: ['-rtp_echo'] });
}

const calls = async ({ server }: Telephony): Promise<SipCall[]> => dataOf(await server.get<SipCall[]>('/calls'));

suite('with kamailio', { ...skip, concurrency: false }, () => {
  test('a registrar that asks for a password keeps the account for as long as it likes, and calls come over it', async (t) => {
    const telephony = await startTelephony(t);
    const { uri } = await startRegistrarOfKamailio(t, { maxExpires: 20 });
    const number = await telephony.number(uri, { ...account, inbound_agent_id: telephony.agentId });
    const { expires_at: expiresAt } = await registered(telephony, number.id);
    const leftMs = Date.parse(expiresAt) - Date.now();
    assert.ok(leftMs > 10_000 && leftMs <= 20_000, `${leftMs} ms`);
    await (await aCaller(t, uri)).succeeded();
    const [call] = await calls(telephony);
    assert.deepEqual([call?.['direction'], call?.['callee_number']], ['inbound', number.phone]);
  });

  test('a registrar that wants a longer time gets it', async (t) => {
    const telephony = await startTelephony(t);
    const { uri } = await startRegistrarOfKamailio(t, { minExpires: 1800 });
    const number = await telephony.number(uri, account);
    const { expires_at: expiresAt } = await registered(telephony, number.id);
    assert.ok(Date.parse(expiresAt) - Date.now() > 1_700_000, expiresAt);
  });

  for (const transport of ['tcp', 'tls'] as const) {
    test(`an account is registered over ${transport}, and its calls come over it`, async (t) => {
      const telephony = await startTelephony(t, {
        'sip.srtp': 'off', // sipp's offer has none
        'sip.tls_port': '0',
        'sip.tls.cert_file': tlsFile('server.crt'),
        'sip.tls.key_file': tlsFile('server.key'),
        'sip.tls.ca_file': tlsFile('ca.crt'),
      });
      const { uri, tlsUri } = await startRegistrarOfKamailio(t);
      const number = await telephony.number(transport === 'tls' ? tlsUri : uri, {
        ...account,
        transport,
        inbound_agent_id: telephony.agentId,
      });
      const { contact } = await registered(telephony, number.id);
      assert.match(contact, new RegExp(`;transport=${transport}$`));
      await (await aCaller(t, uri)).succeeded();
      const [call] = await calls(telephony);
      assert.deepEqual([call?.['direction'], call?.['callee_number']], ['inbound', number.phone]);
    });
  }

  test('two numbers share an account, whose calls no number names; one that leaves makes the other the only one', async (t) => {
    const telephony = await startTelephony(t);
    const { uri } = await startRegistrarOfKamailio(t);
    const fields = { ...account, inbound_agent_id: telephony.agentId };
    const [first, second] = [await telephony.number(uri, fields), await telephony.number(uri, fields)];
    const contacts = [await registered(telephony, first.id), await registered(telephony, second.id)];
    assert.equal(contacts[0]!.contact, contacts[1]!.contact);
    await assert.rejects((await aCaller(t, uri)).succeeded(), /404/);
    dataOf(await telephony.server.patch(`/phone-numbers/${first.id}`, { register: false }));
    await (await aCaller(t, uri)).succeeded();
    assert.deepEqual(
      (await calls(telephony)).map(({ callee_number: callee }) => callee),
      [second.phone],
    );
  });

  test('a stopped server is not called any more', async (t) => {
    const telephony = await startTelephony(t);
    const { uri } = await startRegistrarOfKamailio(t);
    const number = await telephony.number(uri, { ...account, inbound_agent_id: telephony.agentId });
    await registered(telephony, number.id);
    await telephony.server.stop();
    await assert.rejects((await aCaller(t, uri)).succeeded(), /404/);
  });

  test('an address that changes behind a NAT becomes the Contact, at which the calls come', async (t) => {
    const telephony = await startTelephony(t);
    const registrar = await startRegistrarOfKamailio(t, { maxExpires: 4 });
    const nat = await startNat(t, registrar.port);
    const number = await telephony.number(nat.uri, { ...account, inbound_agent_id: telephony.agentId });
    const isAt = async (port: number): Promise<void> => {
      while (!(await registrationOf(telephony, number.id)).contact.endsWith(`@127.0.0.1:${port}`)) await pause(20);
    };
    await registered(telephony, number.id);
    await isAt(nat.outsidePort());
    const before = nat.outsidePort();
    await nat.rebind();
    assert.notEqual(nat.outsidePort(), before);
    await isAt(nat.outsidePort());
    await (await aCaller(t, registrar.uri)).succeeded();
    const [call] = await calls(telephony);
    assert.equal(call?.['callee_number'], number.phone);
  });
});

test(
  'a softphone at the same registrar calls the account, and is called by it',
  skipWithout('baresip', 'kamailio'),
  async (t) => {
    const telephony = await startTelephony(t);
    const { uri } = await startRegistrarOfKamailio(t);
    const number = await telephony.number(uri, { ...account, inbound_agent_id: telephony.agentId });
    await registered(telephony, number.id);
    const user = aPhone();
    const phone = await startBaresip(t, { user, registrar: { uri, password: proxyCredentials.sip_password } });
    phone.dial(`sip:${proxyCredentials.sip_username}@${uri}`);
    await phone.happened('CALL_ESTABLISHED', 1);
    await phone.heardTone(440, 1000);
    phone.command('hangup');
    await phone.happened('CALL_CLOSED', 1);
    const [incoming] = await calls(telephony);
    const over = await telephony.ended(incoming!.call_id);
    assert.deepEqual([over['direction'], over.status], ['inbound', 'completed']);

    const body = { agent_id: telephony.agentId, phone_number_id: number.id, to: user };
    const { call_id: id } = dataOf(await telephony.server.post<SipCall>('/calls', body));
    await phone.happened('CALL_ESTABLISHED', 2);
    phone.command('hangup');
    const called = await telephony.ended(id);
    assert.deepEqual(
      [called['direction'], called.status, called.disconnect_reason],
      ['outbound', 'completed', 'customer_hangup'],
    );
  },
);
