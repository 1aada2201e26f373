import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { loadConfig } from '../../../src/main/configuration.ts';
import { embeddingsOf } from '../../../src/search/embeddings/settings.ts';
import { retrievalMode } from '../../../src/search/service.ts';
import { type FakeEmbeddings, type Meaning, startFakeEmbeddings, wordwise } from '../../support/fake-embeddings.ts';
import { type Library, openLibrary } from '../../support/library.ts';

const known = wordwise([
  ['refund', 'erstattung'],
  ['sofa', 'couch'],
]);

type World = { endpoint: FakeEmbeddings; library: Library; base: string; settings: Record<string, string> };

async function opened(t: TestContext, over: Record<string, string> = {}, meaning: Meaning = known): Promise<World> {
  const endpoint = await startFakeEmbeddings(meaning);
  t.after(() => endpoint.close());
  const settings = {
    'embeddings.url': endpoint.url,
    'embeddings.model': 'small',
    'embeddings.batch_size': '4',
    ...over,
  };
  const library = await openLibrary({ settings });
  t.after(() => library.close());
  return { endpoint, library, base: await library.aBase(), settings };
}

const texts = {
  refund: 'refund within thirty days',
  parcels: 'parcels leave before noon',
  sofa: 'a sofa comes in eight weeks',
  hours: 'open from nine until seven',
  parking: 'garage below the house',
  breakfast: 'breakfast in the winter garden',
};

async function fill({ library, base }: World): Promise<void> {
  for (const [title, text] of Object.entries(texts)) await library.put(base, { title, text });
}

const found = async ({ library, base }: World, query: string): Promise<string | undefined> =>
  (await library.ask(base, query))[0]?.text;

const vectors = async ({ library }: World): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM retrieval_vectors`.execute(library.app.db);
  return rows[0]!.n;
};

/** Lets everything that is due within so long run. */
async function later(world: World, ms: number): Promise<void> {
  const { clock, runner } = world.library;
  const until = clock.now() + ms;
  for (let next = await runner.settled(); next !== undefined && next <= until; next = await runner.settled()) {
    clock.set(Math.max(next, clock.now()));
  }
  clock.set(until);
  await runner.settled();
}

const passagesAsked = ({ endpoint }: World): string[] => endpoint.asked.flatMap(({ input }) => input);

test('passages are embedded in batches after they were put, and found by meaning where no word is the same', async (t) => {
  const world = await opened(t, { 'embeddings.api_key': 'secret', 'embeddings.dimensions': '256' });
  assert.equal(retrievalMode(world.library.app), 'hybrid');
  await fill(world);
  await world.library.runner.settled();
  assert.equal(await vectors(world), 6);
  assert.ok(world.endpoint.asked.every(({ input }) => input.length <= 4));
  assert.deepEqual(
    passagesAsked(world).toSorted(),
    Object.entries(texts)
      .map((parts) => parts.join('\n'))
      .toSorted(),
  );
  assert.deepEqual(world.endpoint.asked.map(({ key, model, dimensions }) => ({ key, model, dimensions }))[0], {
    key: 'secret',
    model: 'small',
    dimensions: 256,
  });
  assert.equal(await found(world, 'Erstattung'), texts.refund);
  assert.equal(await found(world, 'couch'), texts.sofa);
});

test('while the endpoint fails words find new text, and it is embedded when the endpoint works again', async (t) => {
  for (const fault of [
    { status: 500 },
    { status: 401 },
    { status: 200, body: 'no JSON' },
    { status: 200, body: '{"data":[]}' },
    { status: 200, body: '{"data":null}' },
    { status: 200, body: '{"data":[{"index":0,"embedding":[0,0]},{"index":0,"embedding":["a"]}]}' },
  ]) {
    const world = await opened(t);
    world.endpoint.fault = () => fault;
    await fill(world);
    await later(world, 5000);
    assert.equal(await found(world, 'garage'), texts.parking);
    assert.equal(await vectors(world), 0);
    world.endpoint.fault = () => undefined;
    await later(world, 600_000);
    assert.equal(await vectors(world), 6, JSON.stringify(fault));
  }
});

test('an endpoint that says when to come back is left alone until then', async (t) => {
  const world = await opened(t);
  world.endpoint.fault = () => ({ status: 429, headers: { 'retry-after': '100' } });
  await world.library.put(world.base, { title: 'refund', text: texts.refund });
  await later(world, 99_000);
  assert.equal(world.endpoint.asked.length, 1);
  world.endpoint.fault = () => undefined;
  await later(world, 2000);
  assert.equal(await vectors(world), 1);
});

test('a text that the endpoint does not take keeps no other from being embedded', async (t) => {
  const world = await opened(t);
  world.endpoint.fault = ({ input }) => (input.some((text) => text.includes('sofa')) ? { status: 400 } : undefined);
  await fill(world);
  await later(world, 60_000);
  assert.equal(await vectors(world), 5);
  assert.equal(await found(world, 'sofa weeks'), texts.sofa);
  assert.equal(await found(world, 'Erstattung'), texts.refund);
});

test('an organization is never asked again for a text it has a vector of', async (t) => {
  const world = await opened(t);
  const { library, base } = world;
  const id = await library.put(base, { title: 'refund', text: texts.refund });
  await library.runner.settled();
  await library.put(base, { id, title: 'refund', text: texts.refund });
  await library.remove(id);
  await library.put(await library.aBase(), { title: 'refund', text: texts.refund });
  await library.runner.settled();
  assert.equal(world.endpoint.asked.length, 1);
  assert.equal(await vectors(world), 1);
  const stranger = await library.aBase(await library.anOrganization());
  await library.put(stranger, { title: 'refund', text: texts.refund });
  await library.runner.settled();
  assert.equal(world.endpoint.asked.length, 2, 'what one organization has is nothing to another');
});

test('another model embeds everything anew, and the same one nothing', async (t) => {
  const world = await opened(t);
  await fill(world);
  await world.library.runner.settled();
  await world.library.close({ keep: true });
  const before = world.endpoint.asked.length;

  const same = await openLibrary({ settings: world.settings, data: world.library.data });
  t.after(() => same.close());
  await same.runner.settled();
  assert.equal(world.endpoint.asked.length, before);
  await same.close({ keep: true });

  const settings = { ...world.settings, 'embeddings.model': 'large' };
  const library = await openLibrary({ settings, data: world.library.data });
  t.after(() => library.close());
  await library.runner.settled();
  const asked = world.endpoint.asked.slice(before);
  assert.equal(asked.flatMap(({ input }) => input).length, 6);
  assert.ok(asked.every(({ model }) => model === 'large'));
  const again = { ...world, library };
  assert.equal(await found(again, 'Erstattung'), texts.refund);
  await later(again, 86_400_000);
  assert.equal(await vectors(again), 6, 'those of the old model are gone after a night');
});

test('vectors of another length than those before are not mixed with them', async (t) => {
  let dimensions = 256;
  const world = await opened(t, {}, (text, model) => known(text, model).slice(0, dimensions));
  await world.library.put(world.base, { title: 'refund', text: texts.refund });
  await world.library.runner.settled();
  dimensions = 128;
  await world.library.put(world.base, { title: 'sofa', text: texts.sofa });
  await later(world, 5000);
  assert.equal(await vectors(world), 1);
  assert.equal(await found(world, 'sofa'), texts.sofa);
  dimensions = 256;
  await later(world, 1_200_000);
  assert.equal(await vectors(world), 2);
});

test('an endpoint that gives other dimensions than were asked for is not believed', async (t) => {
  const world = await opened(t, { 'embeddings.dimensions': '64' });
  await fill(world);
  await later(world, 5000);
  assert.equal(await vectors(world), 0);
  assert.equal(await found(world, 'garage'), texts.parking);
});

test('a question whose vector does not come in time is answered by words, and the next one does not wait', async (t) => {
  const world = await opened(t, { 'embeddings.query_timeout_ms': '30' });
  await fill(world);
  await world.library.runner.settled();
  world.endpoint.fault = () => 'hang';
  const before = world.endpoint.asked.length;
  assert.equal(await found(world, 'garage'), texts.parking);
  assert.equal(await found(world, 'breakfast'), texts.breakfast);
  assert.equal(world.endpoint.asked.length, before + 1);
});

test('what is removed leaves no vector behind', async (t) => {
  const world = await opened(t);
  const id = await world.library.put(world.base, { title: 'refund', text: texts.refund });
  await world.library.runner.settled();
  await world.library.remove(id);
  assert.equal(await vectors(world), 0);
  await later(world, 86_400_000);
  const { rows } = await sql`SELECT * FROM retrieval_embeddings`.execute(world.library.app.db);
  assert.deepEqual(rows, []);
});

test('a URL without a model is told at the start', () => {
  const argvSettings = [{ path: 'embeddings.url', value: 'http://127.0.0.1:1/' }];
  const { config } = loadConfig({ argvSettings, env: {}, readFile: () => '' });
  assert.throws(() => embeddingsOf(config), /embeddings\.model/);
});
