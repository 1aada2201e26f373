import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask, scratch, serve } from './support.ts';

test('SIGHUP takes over level, limits, rates and catalog, names what needs a restart, and refuses a bad file', async (t) => {
  const file = join(scratch(t), 'parley.yaml');
  const write = (text: string): void => writeFileSync(file, text);
  write('log: { level: warn }\n');
  const server = await serve(t, ['--ephemeral', '--config', file]);
  const { url, api_key: key } = server.ready;
  const agents = () => ask(`${url}/api/v1/agents`, key);
  const models = async (): Promise<string[]> => {
    const answer = (await (await ask(`${url}/api/v1/available-llm-models/with-voices`, key)).json()) as {
      data: { llmModel: string }[];
    };
    return answer.data.map(({ llmModel }) => llmModel);
  };
  assert.match((await agents()).headers.get('ratelimit-policy')!, /q=200/);
  assert.ok(!(await models()).includes('other'));

  write(`
log: { level: info }
http: { rate_limit: { per_second: 5, burst: 50 }, port: 9 }
limits: { organization: { max_concurrent: 7 } }
webhooks: { timeout_ms: 1234 }
catalog:
  models:
    - { llm_model: other, description: Another, price: 1, voices: [{ id: v1, voice_name: Vi, language: en }] }
`);
  server.signal('SIGHUP');
  await server.logs(/the configuration was read again/);
  await server.logs(/"needRestart":\["webhooks\.timeout_ms"\]/);
  assert.match((await agents()).headers.get('ratelimit-policy')!, /q=50/);
  assert.ok((await models()).includes('other'));
  await server.logs(/"path":"\/api\/v1\/agents"/); // the level is info now

  write('limits: { organization: { max_concurrent: none } }\n');
  server.signal('SIGHUP');
  await server.logs(/nothing has changed/);
  assert.match((await agents()).headers.get('ratelimit-policy')!, /q=50/);
  assert.equal((await server.stop()).code, 0);
});
