import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, type LiveEvent, type LiveRequest, watchLive } from '../../clients/typescript/index.ts';

type Connection = Response | 'unreachable';

const encoder = new TextEncoder();
const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' };
/** A stream of these pieces, which then ends, or stays open. */
const stream = (pieces: readonly (string | Uint8Array)[], end: 'ends' | 'stays' | 'breaks' = 'ends'): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
        if (end === 'ends') controller.close();
      },
      pull(controller) {
        if (end === 'breaks') controller.error(new TypeError('terminated'));
      },
    }),
    { headers: eventStream },
  );
const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const bye = (reason: string): string => event('bye', { reason });
const refusal = (status: number): Response =>
  Response.json({ success: false, message: 'No.' }, { status, headers: { 'retry-after': '0' } });

async function watched(connections: readonly Connection[], request: Partial<LiveRequest> = {}) {
  const left = [...connections];
  const states: boolean[] = [];
  const fetch = (): Promise<Response> => {
    const next = left.shift() ?? assert.fail('the stream was opened once more');
    return next === 'unreachable' ? Promise.reject(new TypeError('fetch failed')) : Promise.resolve(next);
  };
  const client = createClient({ baseUrl: 'http://parley.test', fetch });
  const events: LiveEvent[] = [];
  const onConnection = (isConnected: boolean): void => void states.push(isConnected);
  for await (const one of watchLive(client, { topic: ['overview'], onConnection, ...request })) events.push(one);
  return { values: events.map(({ event: name, data }) => data['n'] ?? `${name} ${data.reason}`), states, left };
}

test('a lost connection is opened again, and a stopping server is waited for', async () => {
  const { values, states, left } = await watched([
    stream([event('overview', { n: 1 })]),
    stream([event('overview', { n: 2 })], 'breaks'),
    'unreachable',
    refusal(503),
    stream([event('overview', { n: 3 }), bye('stopping')], 'stays'),
    stream([event('overview', { n: 4 }), bye('session over')], 'stays'),
  ]);
  assert.deepEqual(values, [1, 2, 3, 4, 'bye session over']);
  assert.deepEqual(left, []);
  assert.deepEqual(states, [true, false, true, false, false, true, false, true]);
});

test('events arrive whole, however the stream is cut, and comments are skipped', async () => {
  const text = `: alive\n\n${event('overview', { n: 'Grüße' })}: alive\r\n\r\nevent: overview\r\ndata: {"n":\r\ndata: 2}\r\n\r\n${bye('gone')}`;
  const bytes = encoder.encode(text);
  const { values } = await watched([
    stream(
      Array.from(bytes, (_, index) => bytes.slice(index, index + 1)),
      'stays',
    ),
  ]);
  assert.deepEqual(values, ['Grüße', 2, 'bye gone']);
});

test('a refused stream throws, and an aborted one ends', async () => {
  for (const status of [400, 401, 404]) await assert.rejects(watched([refusal(status)]), { status });
  const aborting = new AbortController();
  aborting.abort();
  assert.deepEqual((await watched([], { signal: aborting.signal })).values, []);
});

test('the connection is closed when the reader leaves the loop', async () => {
  const closed = Promise.withResolvers<void>();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(event('overview', { n: 1 }))),
    cancel: () => closed.resolve(),
  });
  const client = createClient({ fetch: () => Promise.resolve(new Response(body, { headers: eventStream })) });
  for await (const one of watchLive(client, { topic: ['overview'] })) {
    assert.equal(one.data['n'], 1);
    break;
  }
  await closed.promise;
});
