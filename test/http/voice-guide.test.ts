import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { anAgent } from '../support/fixtures.ts';
import { type FakeOptions, startFakeRealtime } from '../support/realtime/server.ts';
import { blocksOf } from '../support/guides.ts';
import { startTestServer } from '../support/server.ts';
import { sipSettings } from '../support/sip/server.ts';
import { startLlm, startStt, startTts } from '../support/speech/cascade.ts';
import { begin, connect, ended } from '../support/test-calls.ts';

/** Each configuration of docs/voice.md talks, with servers that speak the dialect of the one that it is for. */

type Nested = { [name: string]: Nested | string | number | boolean | null | unknown[] };

const guide = readFileSync(new URL('../../docs/voice.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```yaml\n(.*?)^```/gms)].map(
  ([, text]) => parse(text!.replaceAll('…', 'secret')) as Nested,
);
const configurations = blocks.filter((block) => 'speech' in block);

/** Settings by their paths, as `--set` takes them. */
const flat = (nested: Nested, path = ''): Array<[string, string]> =>
  Object.entries(nested).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flat(value, `${path}${name}.`)
      : [[`${path}${name}`, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string]],
  );

/** The same path and query at a server of the tests. */
function movedTo(fakeUrl: string, url: string): string {
  const { pathname, search } = new URL(url);
  return new URL(pathname + search, fakeUrl).href;
}

const dialects: Readonly<Record<string, FakeOptions>> = {
  '127.0.0.1:8080': { pcmOnly: true, ignores: ['conversation.item.truncate'] },
  '127.0.0.1:8000': { shape: 'beta', pcmOnly: true, needsTranscriptionModel: true },
};

/** Starts servers in place of those that the settings name. */
async function withFakes(t: TestContext, settings: Record<string, string>): Promise<{ headers(): object }> {
  if (settings['speech.engine'] === 'realtime') {
    const url = settings['speech.realtime.url'] ?? 'wss://api.openai.com/v1/realtime';
    const fake = await startFakeRealtime({
      ...dialects[new URL(url).host],
      answer: ({ instructions }) => ({ text: instructions ?? 'I heard you.', audioMs: 400 }),
    });
    t.after(() => fake.close());
    settings['speech.realtime.url'] = movedTo(fake.url, url);
    return { headers: () => fake.sessions[0]!.headers };
  }
  const stt = await startStt(() => ({ text: 'Good morning' }));
  const llm = await startLlm(() => ({ text: ['I heard ', 'you.'] }), { wholeCalls: true });
  const tts = await startTts();
  t.after(() => Promise.all([stt.close(), llm.close(), tts.close()]));
  for (const [part, { url }] of Object.entries({ stt, llm, tts })) {
    settings[`speech.${part}.url`] = movedTo(url, settings[`speech.${part}.url`]!);
  }
  return { headers: () => llm.requests[0]!.headers };
}

test('the guide has a configuration for each kind of service', () => {
  assert.equal(configurations.length, 5);
  const ports = JSON.stringify(blocks.find((block) => 'services' in block));
  const cascade = flat(configurations.at(-1)!).filter(([path]) => path.endsWith('.url'));
  for (const [path, url] of cascade) assert.ok(ports.includes(`127.0.0.1:${new URL(url).port}:`), path);
});

for (const [index, configuration] of configurations.entries()) {
  const settings = Object.fromEntries(flat(configuration));
  const name = settings['speech.realtime.url'] ?? settings['speech.llm.url'] ?? 'OpenAI';
  test(`configuration ${index + 1} of the guide talks: ${name}`, async (t) => {
    const { headers } = await withFakes(t, settings);
    const server = await startTestServer({
      testClock: false,
      settings: { ...(await sipSettings()), ...settings, 'carrier.driver': settings['carrier.driver'] ?? 'simulated' },
    });
    t.after(() => server.stop());
    const agent = await anAgent(server, { firstMessage: 'Hello, here is Robin.' });
    const begun = await begin(server, agent.id);
    const client = await connect(t, begun);
    await client.when(() => client.said().some((said) => /^agent: .*Hello, here is Robin\./s.test(said)));
    await client.hears();
    client.send({ type: 'text', text: 'Good morning' });
    await client.when(() => client.said().some((said) => said.startsWith('agent: I heard')));
    client.send({ type: 'hangup' });
    assert.equal((await ended(server, begun.call_session_id)).status, 'completed');
    const key = settings['speech.realtime.api_key'];
    const { authorization, 'api-key': azure } = headers() as Record<string, string | undefined>;
    if (key === undefined) assert.deepEqual([authorization, azure], [undefined, undefined]);
    else
      assert.ok(
        [authorization, azure].includes(settings['speech.realtime.auth'] === 'api-key' ? key : `Bearer ${key}`),
      );
  });
}

test('the compose file publishes the ports, and its commands load the models, that the settings below it name', () => {
  const inHouse = blocksOf('voice.md').filter(({ heading }) => heading === 'In the house');
  const compose = inHouse.findIndex(({ code }) => code.startsWith('services:'));
  const { services, volumes } = parse(inHouse[compose]!.code) as Compose;
  const commands = inHouse[compose + 1]!.code.trim().split('\n');
  const { speech, catalog } = parse(inHouse[compose + 2]!.code) as Settings;

  const published = Object.values(services).flatMap(({ ports }) => ports);
  const used = [speech.stt, speech.llm, speech.tts].map(({ url }) => new URL(url));
  assert.deepEqual(
    [...new Set(used.map(({ hostname, port }) => `${hostname}:${port}:${port}`))].toSorted(),
    published.toSorted(),
  );
  assert.deepEqual(
    used.map(({ pathname }) => pathname),
    ['/v1/audio/transcriptions', '/v1/chat/completions', '/v1/audio/speech'],
  );
  const named = Object.values(services).flatMap(({ volumes: own }) => own.map((volume) => volume.split(':')[0]!));
  assert.deepEqual(named.toSorted(), Object.keys(volumes).toSorted());

  assert.equal(commands[0], 'docker compose up -d');
  const { origin } = used[0]!;
  const loaded = commands.slice(1).map((command) => {
    const [, service, model] = /^docker compose exec (\w+) ollama pull (\S+)$/.exec(command) ?? [];
    if (service !== undefined) return [used[1]!.origin === 'http://127.0.0.1:11434' && service in services, model];
    const [, address, name] = /^curl -X POST (http:\/\/[^/]+)\/v1\/models\/(\S+)$/.exec(command) ?? [];
    return [address === origin, name];
  });
  assert.deepEqual(loaded, [
    [true, speech.stt.model],
    [true, speech.tts.model],
    [true, speech.llm.model],
  ]);
  assert.ok(catalog.models.every(({ voices }) => voices.every(({ provider_voice: voice }) => voice !== undefined)));
});

type Compose = {
  services: Record<string, { image: string; ports: string[]; volumes: string[] }>;
  volumes: Record<string, null>;
};
type Service = { url: string; model: string };
type Settings = {
  speech: { stt: Service; llm: Service; tts: Service };
  catalog: { models: Array<{ voices: Array<{ provider_voice?: string }> }> };
};
