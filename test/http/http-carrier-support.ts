import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { secret, type VoiceRuntime } from './voice-runtime.ts';

export type CallData = { call_session_id: string; state: string; status: string | null } & Record<string, unknown>;

export type Bench = {
  server: TestServer;
  agentId: string;
  numberId: string;
  /** Places a call, waits until all jobs due now have run, and returns its id. */
  place(fields?: Record<string, unknown>): Promise<string>;
  /** Like `place`, but without waiting for the jobs. */
  placeOnly(fields?: Record<string, unknown>): Promise<string>;
  call(id: string): Promise<CallData>;
  now(): number;
  settled(): Promise<unknown>;
};

export const httpSettings = (url: string): Record<string, string> => ({
  'carrier.driver': 'http',
  'carrier.http.url': url,
  'carrier.http.secret': secret,
});

/** A server with the http carrier, an agent and a number. */
export async function httpBench(
  t: TestContext,
  runtime: VoiceRuntime,
  options: TestServerOptions = {},
): Promise<Bench> {
  const settings = { ...httpSettings(runtime.url), ...options.settings };
  const server = await startTestServer({ ...options, settings });
  t.after(() => {
    runtime.release();
    return server.stop();
  });
  const { models } = server.running.app.config.catalog;
  const agent = await server.post('/agents', {
    agentName: 'Robin',
    model: models[0]!.llm_model,
    voiceId: models[0]!.voices[0]!.id,
    prompt: 'Be brief.',
    firstMessage: 'Hello!',
    maxCallDurationMs: 600_000,
  });
  assert.equal(agent.status, 200, agent.text);
  const number = await server.post('/phone-numbers/import', {
    phone: '+493090182000',
    termination_uri: 'sip.example.com',
  });
  assert.equal(number.status, 200, number.text);
  return onServer(server, agent.body.data.id, number.body.data.id);
}

export function onServer(server: TestServer, agentId: string, numberId: string): Bench {
  const settled = (): Promise<unknown> => server.running.runner.settled();
  const placeOnly = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const body = { agent_id: agentId, to: '+493090182123', phone_number_id: numberId, ...fields };
    const answer = await server.post<CallData>('/calls', body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data.call_session_id;
  };
  return {
    server,
    agentId,
    numberId,
    placeOnly,
    async place(fields) {
      await server.advance(100); // the number starts ten calls a second
      const id = await placeOnly(fields);
      await settled();
      return id;
    },
    call: async (id) => (await server.get<CallData>(`/calls/${id}`)).body.data,
    now: () => server.running.app.clock.now(),
    settled,
  };
}
