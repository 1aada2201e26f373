import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApi } from '../../src/cli/demo/api.ts';
import { keepOneCall } from '../../src/cli/demo/long-call.ts';
import { aCampaign, anAgent, aNumber } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';

test('somebody of the demo is on the phone for minutes, and the next one soon after', async (t) => {
  const server = await startTestServer();
  t.after(() => server.stop());
  const [agent, number] = [await anAgent(server), await aNumber(server)];
  const { id: campaignId } = await aCampaign(server, { agentId: agent.id, phoneNumberId: number.id });
  const contacts = [{ phone: '+442079460002' }, { phone: '+442079460003' }];
  dataOf(await server.post(`/campaigns/${campaignId}/contacts`, { contacts }));
  const { app } = server.running;
  const leaving = new AbortController();
  t.after(() => leaving.abort());
  const caller = { agentId: agent.id, phoneNumberId: number.id, campaignId };
  const api = createApi(server.url, server.apiKey);
  void keepOneCall({ api, clock: app.clock, speed: 1, caller, signal: leaving.signal });
  const live = async (passSec: number) => {
    for (let second = 0; second < passSec; second++) {
      await server.advance(1000);
      await server.get('/calls?limit=1'); // by then the demo has asked, too
    }
    return dataOf(await server.get<Array<Data & { call_id: string; phone: string }>>('/calls?state=in_progress'));
  };
  while (dataOf(await server.get<Data[]>('/calls?limit=1')).length === 0) await server.advance(0);
  const [first] = await live(120);
  assert.ok(first, 'still on the phone after two minutes');
  const [next] = await live(60);
  assert.ok(next && next.phone !== first.phone, 'then somebody else');
  const ended = dataOf(
    await server.get<{ status: string; post_call_analysis: { goals_met: boolean } }>(`/calls/${first.call_id}`),
  );
  assert.deepEqual([ended.status, ended.post_call_analysis.goals_met], ['completed', false], 'nothing was agreed');
});
