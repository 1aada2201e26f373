import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { anAgent, aNumber } from '../support/fixtures.ts';
import { type Client, dataOf, startTestServer } from '../support/server.ts';
import { type DialingTrunk, startDialingTrunk } from '../support/sip/dialing-trunk.ts';
import { sipSettings } from '../support/sip/server.ts';

const settings = await sipSettings();

export async function aServer(t: TestContext, more: Readonly<Record<string, string>> = {}) {
  const server = await startTestServer({ testClock: false, settings: { ...settings, ...more } });
  t.after(() => server.stop());
  const { checks } = dataOf(await server.get<{ checks: Array<{ message: string }> }>('/system'));
  const port = checks.map(({ message }) => /signalling listens on port (\d+)/.exec(message)?.[1]).find(Boolean);
  return { server, port: Number(port) };
}

export async function aTrunk(t: TestContext, address?: string): Promise<DialingTrunk> {
  const trunk = await startDialingTrunk(address);
  t.after(() => trunk.close());
  return trunk;
}

/** An agent with a number, whose calls come from the trunk. */
export async function anAnsweringNumber(
  client: Client,
  trunk: DialingTrunk,
  over: object = {},
  agentOver: object = {},
) {
  const agent = await anAgent(client, agentOver);
  const number = await aNumber(client, { termination_uri: trunk.uri, inbound_agent_id: agent.id, ...over });
  return { agent, number };
}

type CallData = Record<string, unknown> & { call_id: string; state: string; status: string | null };

const calls = async (client: Client): Promise<CallData[]> => dataOf(await client.get<CallData[]>('/calls'));

/** The organization's only call, as soon as it is in this state. */
export async function callIn(client: Client, state: string): Promise<CallData> {
  for (;;) {
    const [call, ...others] = await calls(client);
    assert.deepEqual(others, []);
    if (call?.state === state) return call;
    await pause(20);
  }
}

export const toAnInvite = (status: number) => (message: { status: number; headers: Array<[string, string]> }) =>
  message.status === status && message.headers.some(([name, value]) => name === 'CSeq' && value === '1 INVITE');
