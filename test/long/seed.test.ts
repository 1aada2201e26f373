import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { run, serve } from '../cli/support.ts';

type Made = { id: string };
type Model = { llmModel: string; isActive: boolean; voices: Array<{ id: string }> };
type Ids = { agent: string; contact: string; calls: Array<{ id: string; status: string }> };

/** The ids of what the same requests make on a new server. */
async function idsWith(t: TestContext, ...flags: string[]): Promise<Ids> {
  const server = await serve(t, ['--ephemeral', ...flags]);
  const headers = { 'x-api-key': server.ready.api_key!, 'content-type': 'application/json' };
  const send = async <D>(path: string, body?: object): Promise<D> => {
    const method = body === undefined ? 'GET' : 'POST';
    const init = body === undefined ? { headers } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${server.ready.url}/api/v1${path}`, init);
    assert.equal(answer.status, 200, await answer.clone().text());
    return ((await answer.json()) as { data: D }).data;
  };
  const models = await send<Model[]>('/available-llm-models/with-voices');
  const { llmModel, voices } = models.find(({ isActive }) => isActive)!;
  const agent = await send<Made>('/agents/', { agentName: 'Ada', model: llmModel, voiceId: voices[0]!.id });
  const contact = await send<Made>('/contacts/', { phone: '+4930901855' });
  const number = await send<Made>('/phone-numbers/import', {
    phone: '+4930901822',
    termination_uri: 'sip.example.com',
  });
  for (const to of ['+4930901811', '+4930901812', '+4930901813', '+4930901814', '+4930901815', '+4930901816']) {
    await send('/calls', { agent_id: agent.id, to, phone_number_id: number.id });
  }
  if (flags.includes('--test-clock')) await send('/test-clock/advance', { ms: 600_000 });
  const calls = await send<Array<{ call_id: string; status: string }>>('/calls');
  await server.stop();
  return {
    agent: agent.id,
    contact: contact.id,
    calls: calls.map((call) => ({ id: call.call_id, status: call.status })),
  };
}

test('under a seed, the same requests make the same ids and outcomes; another seed makes others', async (t) => {
  const clock = ['--test-clock', '2026-03-02T09:00:00Z'];
  const first = await idsWith(t, '--seed', '7', ...clock);
  assert.deepEqual(await idsWith(t, '--seed', '7', ...clock), first);
  const other = await idsWith(t, '--seed', '8', ...clock);
  assert.notEqual(other.agent, first.agent);
  assert.notDeepEqual(
    other.calls.map(({ status }) => status),
    first.calls.map(({ status }) => status),
  );
});

test('without a test clock, ids made by requests repeat under a seed, although the time does not', async (t) => {
  const { agent, contact } = await idsWith(t, '--seed', '7');
  const again = await idsWith(t, '--seed', '7');
  assert.deepEqual([again.agent, again.contact], [agent, contact]);
});

test('a seed is a whole number and needs --ephemeral', async () => {
  const [alone, broken] = await Promise.all([
    run(['serve', '--seed', '7']),
    run(['serve', '--ephemeral', '--seed', '7.5']),
  ]);
  assert.deepEqual([alone.code, broken.code], [2, 2]);
  assert.match(alone.err, /--seed needs --ephemeral/);
  assert.match(broken.err, /--seed must be a whole number/);
});
