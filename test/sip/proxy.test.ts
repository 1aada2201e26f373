import assert from 'node:assert/strict';
import { after, suite, test, type TestContext } from 'node:test';
import { dataOf } from '../support/server.ts';
import { proxyCredentials, startKamailio, tlsFile } from '../support/sip/kamailio.ts';
import { skipWithout } from '../support/sip/program.ts';
import { isInProgress, startTelephony } from '../support/sip/server.ts';
import { startSipp } from '../support/sip/sipp.ts';

/** Calls through kamailio, which asks for a password and records its route, to a phone played by sipp over UDP. */

const skip = skipWithout('sipp', 'kamailio');

/** The proxy calls us over TLS, too, when the phone sends a request; sipp knows no SRTP. */
const settings = {
  'sip.tls_port': '0',
  'sip.tls.cert_file': tlsFile('server.crt'),
  'sip.tls.key_file': tlsFile('server.key'),
  'sip.tls.ca_file': tlsFile('ca.crt'),
  'sip.srtp': 'off',
};

for (const transport of ['udp', 'tcp', 'tls'] as const) {
  suite(`over ${transport.toUpperCase()}`, skip, () => {
    const started = startTelephony({ after }, settings);

    async function world(t: TestContext, scenario: string, keys: Record<string, string> = {}) {
      const telephony = await started;
      const sipp = await startSipp(t, scenario, { keys });
      const proxy = await startKamailio(t, sipp.port);
      const uri = transport === 'tls' ? proxy.tlsUri : proxy.uri;
      return { telephony, sipp, uri };
    }

    test('a call is answered, and its BYE takes the recorded route', async (t) => {
      const { telephony, sipp, uri } = await world(t, 'talk');
      const id = await telephony.call(uri, { transport, ...proxyCredentials });
      await telephony.when(id, isInProgress);
      dataOf(await telephony.server.post(`/calls/${id}/hangup`));
      assert.equal((await sipp.agrees(telephony.ended(id))).status, 'completed');
      const bye = /^BYE sip:trunk[^]*?\r?\n\r?\n/m.exec(sipp.messages())?.[0] ?? '';
      assert.equal(bye.match(/^Via: /gm)?.length, 2, `the BYE came through the proxy:\n${bye}`);
      assert.ok(!sipp.messages().includes('open sesame'));
    });

    test('a call is held, resumed, and hung up by the phone behind the proxy', async (t) => {
      const { telephony, sipp, uri } = await world(t, 'hold');
      const over = await sipp.agrees(telephony.ended(await telephony.call(uri, { transport, ...proxyCredentials })));
      assert.deepEqual([over.status, over.disconnect_reason], ['completed', 'customer_hangup']);
    });

    test('a call that is taken back while it rings is cancelled at the phone', async (t) => {
      const { telephony, sipp, uri } = await world(t, 'ring');
      const id = await telephony.call(uri, { transport, ...proxyCredentials });
      await telephony.when(id, ({ state }) => state === 'ringing');
      dataOf(await telephony.server.post(`/calls/${id}/hangup`));
      assert.equal((await sipp.agrees(telephony.ended(id))).status, 'no_answer');
    });

    test('a refusal of the phone is told with its words', async (t) => {
      const keys = { status: '486', phrase: 'Busy Here', reason: 'Q.850;cause=17' };
      const { telephony, sipp, uri } = await world(t, 'refuse', keys);
      const over = await sipp.agrees(telephony.ended(await telephony.call(uri, { transport, ...proxyCredentials })));
      assert.deepEqual([over.status, over.error_message], ['busy', 'SIP 486 Busy Here']);
    });

    test('a wrong password is refused by the proxy, and no call reaches the phone', async (t) => {
      const { telephony, sipp, uri } = await world(t, 'talk');
      const wrong = { ...proxyCredentials, sip_password: 'close sesame' };
      const over = await telephony.ended(await telephony.call(uri, { transport, ...wrong }));
      assert.deepEqual(
        [over.status, over.disconnect_reason, over.error_message],
        ['failed', 'error', 'SIP 407 Proxy Authentication Required'],
      );
      assert.equal(sipp.messages(), '');
    });
  });
}
