// Long: each endpoint has an app and a background thread of its own.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { loadConfig } from '../../../src/main/configuration.ts';
import { embed, EmbeddingsFailure } from '../../../src/search/embeddings/client.ts';
import { embeddingsOf } from '../../../src/search/embeddings/settings.ts';
import { embeddingBacklog, retrievalOf } from '../../../src/search/service.ts';
import {
  bagOfWords,
  type EmbeddingModel,
  type FakeEmbeddings,
  startFakeEmbeddings,
} from '../../support/fake-embeddings.ts';
import { type Library, openLibrary } from '../../support/library.ts';

const synonymModel = bagOfWords([
  ['refund', 'erstattung'],
  ['sofa', 'couch'],
]);

type World = { endpoint: FakeEmbeddings; library: Library; base: string; settings: Record<string, string> };

async function openWorld(
  t: TestContext,
  overrides: Record<string, string> = {},
  model: EmbeddingModel = synonymModel,
): Promise<World> {
  const endpoint = await startFakeEmbeddings(model);
  t.after(() => endpoint.close());
  const settings = {
    'embeddings.url': endpoint.url,
    'embeddings.model': 'small',
    'embeddings.batch_size': '4',
    ...overrides,
  };
  const library = await openLibrary({ settings });
  t.after(() => library.close());
  return { endpoint, library, base: await library.createBase(), settings };
}

const texts = {
  refund: 'refund within thirty days',
  parcels: 'parcels leave before noon',
  sofa: 'a sofa comes in eight weeks',
  hours: 'open from nine until seven',
  parking: 'garage below the house',
  breakfast: 'breakfast in the winter garden',
};

async function addTexts({ library, base }: World): Promise<void> {
  for (const [title, text] of Object.entries(texts)) await library.put(base, { title, text });
}

const firstResult = async ({ library, base }: World, query: string): Promise<string | undefined> =>
  (await library.ask(base, query))[0]?.text;

const countVectors = async ({ library }: World): Promise<number> => {
  const { rows } = await sql<{ n: number }>`SELECT count(*) AS n FROM retrieval_vectors`.execute(library.app.db);
  return rows[0]!.n;
};

/** Advances the clock and runs every job that falls due. */
async function advance(world: World, ms: number): Promise<void> {
  const { clock, runner } = world.library;
  const until = clock.now() + ms;
  for (let next = await runner.settled(); next !== undefined && next <= until; next = await runner.settled()) {
    clock.set(Math.max(next, clock.now()));
  }
  clock.set(until);
  await runner.settled();
}

const embeddedTexts = ({ endpoint }: World): string[] => endpoint.requests.flatMap(({ input }) => input);

test('passages are embedded in batches in the background, and found by meaning where no word matches', async (t) => {
  const world = await openWorld(t, { 'embeddings.api_key': 'secret', 'embeddings.dimensions': '256' });
  assert.equal((await retrievalOf(world.library.app, world.base)).mode, 'hybrid');
  await addTexts(world);
  await world.library.runner.settled();
  assert.equal(await countVectors(world), 6);
  assert.ok(world.endpoint.requests.every(({ input }) => input.length <= 4));
  assert.deepEqual(
    embeddedTexts(world).toSorted(),
    Object.entries(texts)
      .map((parts) => parts.join('\n'))
      .toSorted(),
  );
  assert.deepEqual(world.endpoint.requests.map(({ key, model, dimensions }) => ({ key, model, dimensions }))[0], {
    key: 'secret',
    model: 'small',
    dimensions: 256,
  });
  assert.equal(await firstResult(world, 'Erstattung'), texts.refund);
  assert.equal(await firstResult(world, 'couch'), texts.sofa);
});

/** Values of `data` that are wrong answers to a request with four texts. */
const nonsense = [
  fourVectors({ index: 'length' }),
  fourVectors({ index: -1 }),
  fourVectors({ index: 1.5 }),
  fourVectors({ index: 4_294_967_295 }),
  fourVectors({ index: 1e300 }),
  fourVectors({ index: '__proto__' }),
  fourVectors({ index: 0 }),
  fourVectors({ embedding: [1, null] }),
  fourVectors({ embedding: [1, '2'] }),
  fourVectors({ embedding: [1, [2]] }),
  fourVectors({ embedding: [1, 2, 3] }),
  fourVectors({ embedding: { length: 2, 0: 1, 1: 2 } }),
  [...fourVectors({}), { index: 4, embedding: [1, 2] }],
  fourVectors({}).map((entry) => ({ ...entry, embedding: Array.from({ length: 70_000 }, () => 1) })),
];

function fourVectors(last: object): object[] {
  return [0, 1, 2, 3].map((index) => ({ index, embedding: [1, index], ...(index === 3 ? last : {}) }));
}

test('while the endpoint fails, new text is found by words; it is embedded once the endpoint works again', async (t) => {
  for (const fault of [
    { status: 500 },
    { status: 401 },
    { status: 200, body: 'no JSON' },
    { status: 200, body: '{"data":[]}' },
    { status: 200, body: '{"data":null}' },
    { status: 200, body: '{"data":[{"index":0,"embedding":[0,0]},{"index":0,"embedding":["a"]}]}' },
    { status: 429, headers: { 'retry-after': '1e300' } },
    { status: 503, headers: { 'retry-after': '9'.repeat(400) } },
  ]) {
    const world = await openWorld(t);
    world.endpoint.fault = () => fault;
    await addTexts(world);
    await advance(world, 5000);
    assert.equal(await firstResult(world, 'garage'), texts.parking);
    assert.equal(await countVectors(world), 0);
    world.endpoint.fault = () => undefined;
    await advance(world, 3_600_000);
    assert.equal(await countVectors(world), 6, JSON.stringify(fault));
  }
});

test('an answer with nonsense in it is a failure of the endpoint', async (t) => {
  const { endpoint, library } = await openWorld(t);
  const settings = embeddingsOf(library.app.config)!;
  for (const data of nonsense) {
    endpoint.fault = () => ({ status: 200, body: JSON.stringify({ data }) });
    const request = embed(library.app, settings, ['a', 'b', 'c', 'd'], { timeoutMs: 10_000 });
    await assert.rejects(request, EmbeddingsFailure, JSON.stringify(data).slice(0, 100));
  }
});

test('a query is answered by words when the endpoint answers nonsense', async (t) => {
  const world = await openWorld(t);
  await world.library.put(world.base, { title: 'parking', text: texts.parking });
  await world.library.runner.settled();
  world.endpoint.fault = () => ({ status: 200, body: '{"data":[{"index":"length","embedding":[1,2]}]}' });
  assert.equal(await firstResult(world, 'garage'), texts.parking);
});

test('Retry-After postpones the next request', async (t) => {
  const world = await openWorld(t);
  world.endpoint.fault = () => ({ status: 429, headers: { 'retry-after': '100' } });
  await world.library.put(world.base, { title: 'refund', text: texts.refund });
  await advance(world, 99_000);
  assert.equal(world.endpoint.requests.length, 1);
  world.endpoint.fault = () => undefined;
  await advance(world, 2000);
  assert.equal(await countVectors(world), 1);
});

test('a text that the endpoint refuses does not keep others from being embedded', async (t) => {
  const world = await openWorld(t);
  world.endpoint.fault = ({ input }) => (input.some((text) => text.includes('sofa')) ? { status: 400 } : undefined);
  await addTexts(world);
  await advance(world, 60_000);
  assert.equal(await countVectors(world), 5);
  assert.equal(await firstResult(world, 'sofa weeks'), texts.sofa);
  assert.equal(await firstResult(world, 'Erstattung'), texts.refund);
});

test('a text is embedded once for an organization', async (t) => {
  const world = await openWorld(t);
  const { library, base } = world;
  const id = await library.put(base, { title: 'refund', text: texts.refund });
  await library.runner.settled();
  await library.put(base, { id, title: 'refund', text: texts.refund });
  await library.remove(id);
  await library.put(await library.createBase(), { title: 'refund', text: texts.refund });
  await library.runner.settled();
  assert.equal(world.endpoint.requests.length, 1);
  assert.equal(await countVectors(world), 1);
  const stranger = await library.createBase(await library.createOrganization());
  await library.put(stranger, { title: 'refund', text: texts.refund });
  await library.runner.settled();
  assert.equal(world.endpoint.requests.length, 2, 'organizations do not share embeddings');
});

test('a restart with another model embeds everything again, one with the same model nothing', async (t) => {
  const world = await openWorld(t);
  await addTexts(world);
  await world.library.runner.settled();
  await world.library.close({ keep: true });
  const before = world.endpoint.requests.length;

  const same = await openLibrary({ settings: world.settings, data: world.library.data });
  t.after(() => same.close());
  await same.runner.settled();
  assert.equal(world.endpoint.requests.length, before);
  await same.close({ keep: true });

  const settings = { ...world.settings, 'embeddings.model': 'large' };
  const library = await openLibrary({ settings, data: world.library.data });
  t.after(() => library.close());
  await library.runner.settled();
  const requests = world.endpoint.requests.slice(before);
  assert.equal(requests.flatMap(({ input }) => input).length, 6);
  assert.ok(requests.every(({ model }) => model === 'large'));
  const again = { ...world, library };
  assert.equal(await firstResult(again, 'Erstattung'), texts.refund);
  await advance(again, 86_400_000);
  assert.equal(await countVectors(again), 6, 'vectors of the old model are deleted within a day');
});

test('vectors of another length are not mixed with the earlier ones', async (t) => {
  let dimensions = 256;
  const world = await openWorld(t, {}, (text, name) => synonymModel(text, name).slice(0, dimensions));
  await world.library.put(world.base, { title: 'refund', text: texts.refund });
  await world.library.runner.settled();
  dimensions = 128;
  await world.library.put(world.base, { title: 'sofa', text: texts.sofa });
  await advance(world, 5000);
  assert.equal(await countVectors(world), 1);
  assert.equal(await firstResult(world, 'sofa'), texts.sofa);
  dimensions = 256;
  await advance(world, 1_200_000);
  assert.equal(await countVectors(world), 2);
});

test('vectors with other dimensions than requested are rejected', async (t) => {
  const world = await openWorld(t, { 'embeddings.dimensions': '64' });
  await addTexts(world);
  await advance(world, 5000);
  assert.equal(await countVectors(world), 0);
  assert.equal(await firstResult(world, 'garage'), texts.parking);
});

test('a query whose vector takes too long is answered by words, and the next query does not wait', async (t) => {
  const world = await openWorld(t, { 'embeddings.query_timeout_ms': '30' });
  await addTexts(world);
  await world.library.runner.settled();
  world.endpoint.fault = () => 'hang';
  const before = world.endpoint.requests.length;
  assert.equal(await firstResult(world, 'garage'), texts.parking);
  assert.equal(await firstResult(world, 'breakfast'), texts.breakfast);
  assert.equal(world.endpoint.requests.length, before + 1);
});

test('removing a document deletes its vectors, and its embeddings by the next day', async (t) => {
  const world = await openWorld(t);
  const id = await world.library.put(world.base, { title: 'refund', text: texts.refund });
  await world.library.runner.settled();
  await world.library.remove(id);
  assert.equal(await countVectors(world), 0);
  await advance(world, 86_400_000);
  const { rows } = await sql`SELECT * FROM retrieval_embeddings`.execute(world.library.app.db);
  assert.deepEqual(rows, []);
});

test('a URL without a model is a configuration error', () => {
  const argvSettings = [{ path: 'embeddings.url', value: 'http://127.0.0.1:1/' }];
  const { config } = loadConfig({ argvSettings, env: {}, readFile: () => '' });
  assert.throws(() => embeddingsOf(config), /embeddings\.model/);
});

test('passages that the endpoint refuses count as waiting, and are embedded once the endpoint accepts them', async (t) => {
  const world = await openWorld(t);
  const { app } = world.library;
  world.endpoint.fault = () => ({ status: 400 });
  await addTexts(world);
  await advance(world, 3_600_000);
  const requests = world.endpoint.requests.length;
  assert.ok(
    requests < 30,
    `${requests} requests in an hour: an endpoint that refuses everything is left alone for longer and longer`,
  );
  assert.equal((await retrievalOf(app, world.base)).pendingEmbeddings, 6);
  assert.deepEqual(await embeddingBacklog(app), { pending: 6, refused: 6 });
  world.endpoint.fault = () => undefined;
  await advance(world, 6 * 3_600_000);
  assert.equal(await countVectors(world), 6);
  assert.equal((await retrievalOf(app, world.base)).pendingEmbeddings, 0);
  assert.deepEqual(await embeddingBacklog(app), { pending: 0, refused: 0 });
});

test('a passage that the endpoint always refuses is tried again ever more rarely, down to once a day, after all others', async (t) => {
  const world = await openWorld(t);
  world.endpoint.fault = ({ input }) => (input.some((text) => text.includes('sofa')) ? { status: 400 } : undefined);
  await addTexts(world);
  await advance(world, 5 * 86_400_000);
  assert.equal(await countVectors(world), 5);
  const before = world.endpoint.requests.length;
  await advance(world, 86_400_000);
  assert.equal(world.endpoint.requests.length, before + 1);
  await world.library.removeBase(world.base);
  assert.deepEqual(await embeddingBacklog(world.library.app), { pending: 0, refused: 0 });
});

test('the jobs of a base belong to its organization, also those that a new model enqueues', async (t) => {
  const world = await openWorld(t);
  const organizationId = await world.library.createOrganization();
  const base = await world.library.createBase(organizationId);
  await world.library.put(base, { title: 'refund', text: texts.refund });
  await world.library.runner.settled();
  await world.library.close({ keep: true });
  const settings = { ...world.settings, 'embeddings.model': 'large' };
  const library = await openLibrary({ settings, data: world.library.data });
  t.after(() => library.close());
  world.endpoint.fault = () => ({ status: 500 });
  await library.runner.settled();
  const { rows } = await sql<{ scope: string }>`SELECT scope FROM outbox WHERE kind = 'retrieval.embed'`.execute(
    library.app.db,
  );
  assert.deepEqual(rows, [{ scope: organizationId }]);
});
