import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultPoints } from '../../src/base/fault-points.ts';
import { apiKey, createKillableServer } from './server.ts';
import { until, within } from './waiting.ts';

/** Long enough for an erasure on a very busy machine. */
const limitMs = 60_000;
const phone = '+4930777123400';
const traces = ['Zwentibold', 'zwentibold', '777123400'];

const isPresent = (directory: string): boolean =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .some((path) => traces.some((text) => readFileSync(path).includes(text)));

for (const point of faultPoints.filter((name) => name.startsWith('erasure.'))) {
  test(`SIGKILL at ${point}: the erasure goes on after the restart, and leaves nothing`, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-crash-'));
    const server = createKillableServer(directory, { 'carrier.simulated.speed': '1000' });
    t.after(async () => {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    });
    const send = async <D>(method: string, path: string, body?: object): Promise<D> => {
      const { url } = await server.address();
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return (JSON.parse(text) as { data: D }).data;
    };
    await server.start({ crashAt: `${point}:1` });
    const [model] = await send<Array<{ llmModel: string; voices: Array<{ id: string }> }>>(
      'GET',
      '/available-llm-models/with-voices',
    );
    const agent = { agentName: 'Robin', model: model!.llmModel, voiceId: model!.voices[0]!.id };
    const { id: agent_id } = await send<{ id: string }>('POST', '/agents/', agent);
    const number = { phone: '+4930901820', termination_uri: 'sip.example.com' };
    const { id: phone_number_id } = await send<{ id: string }>('POST', '/phone-numbers/import', number);
    const contact = await send<{ id: string }>('POST', '/contacts/', { first_name: 'Zwentibold', phone });
    await send('POST', `/contacts/${contact.id}/notes`, { content: 'Zwentibold wants tea' });
    await send('POST', '/calls', { agent_id, phone_number_id, contact_id: contact.id, to: phone });
    type Call = { state: string };
    await until(limitMs, 'the call', async () =>
      (await send<Call[]>('GET', '/calls')).every(({ state }) => state === 'ended'),
    );
    assert.equal(isPresent(server.data), true);

    const begun = await send<{ erasure_id: string }>('POST', `/contacts/${contact.id}/erase`, {});
    await within(limitMs, 'the crash', server.gone());
    await server.start();
    type Erasure = { state: string };
    await until(
      limitMs,
      'the erasure',
      async () => (await send<Erasure>('GET', `/erasures/${begun.erasure_id}`)).state === 'done',
    );
    assert.equal(isPresent(server.data), false);
    assert.equal((await send<unknown[]>('GET', '/calls')).length, 1);
  });
}
