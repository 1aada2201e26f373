import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { anAgent } from '../../support/fixtures.ts';
import { aPerson } from '../../support/people.ts';
import { dataOf, startTestServer } from '../../support/server.ts';
import { sipSettings } from '../../support/sip/server.ts';
import { type Begun, type CallData, connect, ended, refusal } from '../../support/test-calls.ts';
import { anIssuer, withdrawalsOn } from './withdrawals.ts';

/* The ticket of a test call opens its connection only while its maker may make test calls. */

const foreign = await anIssuer();
const settings = { ...(await sipSettings()), 'carrier.driver': 'simulated', ...foreign.settings };
const server = await startTestServer({ settings });
after(async () => {
  await server.stop();
  foreign.close();
});
await aPerson(server, 'admin'); // the last one could not be removed
const agent = await anAgent(server);

const begin = async (headers: Record<string, string>): Promise<Begun> =>
  dataOf(await server.post<Begun>(`/agents/${agent.id}/test-calls`, {}, { key: null, headers }));

const protocolsOf = ({ ticket }: Begun) => ['parley.audio.v1', `ticket.${ticket}`];

for (const [name, { make }] of Object.entries(withdrawalsOn(server, foreign))) {
  test(`${name} takes the ticket of a test call along`, async (t) => {
    const { headers, withdraw } = await make();
    const [open, refused] = [await begin(headers), await begin(headers)];
    const client = await connect(t, open);
    await client.message('answered');
    await withdraw();
    assert.equal(await refusal(refused.audio_url, protocolsOf(refused)), 401);
    const call = dataOf(await server.get<CallData>(`/calls/${refused.call_session_id}`));
    assert.deepEqual([call.state, call['connected_at'] ?? null], ['dialing', null]);
    // A conversation that has begun goes on.
    client.send({ type: 'hangup' });
    assert.equal(await client.closed, 1000);
    assert.equal((await ended(server, open.call_session_id))['disconnect_reason'], 'customer_hangup');
    dataOf(await server.post(`/calls/${refused.call_session_id}/hangup`));
    assert.equal((await ended(server, refused.call_session_id)).status, 'no_answer');
  });
}
