import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClientOptions,
  createClient,
  createContact,
  deleteContact,
  listContacts,
} from '../../clients/typescript/index.ts';

type Step = number | 'unreachable' | { status: number; code?: string; retryAfter?: string };

/** A client whose requests get these answers in turn, and the requests that it sent. */
function scripted(steps: readonly Step[], options: ClientOptions = {}) {
  const sent: Headers[] = [];
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    const step = steps[sent.length]!;
    sent.push(new Headers(init!.headers));
    if (step === 'unreachable') return Promise.reject(new TypeError('fetch failed'));
    const { status, code, retryAfter = '0' } = typeof step === 'number' ? { status: step } : step;
    const body = status === 200 ? { success: true, message: '', data: [] } : { success: false, message: 'No.', code };
    return Promise.resolve(Response.json(body, { status, headers: { 'retry-after': retryAfter } }));
  };
  return { client: createClient({ baseUrl: 'http://parley.test', apiKey: 'pk', fetch, ...options }), sent };
}

const keysOf = (sent: readonly Headers[]): Set<string | null> => new Set(sent.map((one) => one.get('idempotency-key')));

test('a POST is repeated with one idempotency key, made by the client or given', async () => {
  const { client, sent } = scripted([
    'unreachable',
    { status: 409, code: 'IDEMPOTENCY_IN_PROGRESS' },
    200,
    503,
    200,
    200,
  ]);
  await createContact(client, { body: { first_name: 'Ada' } });
  await createContact(client, { body: { first_name: 'Grace' }, idempotencyKey: 'mine' });
  await createContact(client, { body: { first_name: 'Joan' } });
  const keys = [sent.slice(0, 3), sent.slice(3, 5), sent.slice(5)].map(keysOf);
  assert.deepEqual(
    keys.map(({ size }) => size),
    [1, 1, 1],
  );
  assert.deepEqual([...keys[1]!], ['mine']);
  assert.match([...keys[0]!][0]!, /^[0-9a-f]{32}$/);
  assert.notDeepEqual(keys[0], keys[2]);
});

test('what may have been executed is not repeated without a key', async () => {
  for (const step of ['unreachable', 502, 504] as const) {
    const { client, sent } = scripted([step]);
    await assert.rejects(deleteContact(client, { params: { id: '1' } }));
    assert.equal(sent.length, 1, String(step));
  }
  const busy = scripted([429, 503, 200]);
  await deleteContact(busy.client, { params: { id: '1' } });
  assert.equal(busy.sent.length, 3);
});

test('repeating ends after the given number, at refusals, and when the server wants a long pause', async () => {
  const exhausted = scripted([503, 503, 503]);
  await assert.rejects(listContacts(exhausted.client), { status: 503 });
  assert.equal(exhausted.sent.length, 3);
  const none = scripted([503], { retries: 0 });
  await assert.rejects(createContact(none.client, { body: {} }), { status: 503 });
  assert.deepEqual([...keysOf(none.sent)], [null]);
  for (const step of [400, 404, 500, { status: 409, code: 'CONFLICT' }, { status: 429, retryAfter: '3600' }]) {
    const { client, sent } = scripted([step]);
    await assert.rejects(listContacts(client));
    assert.equal(sent.length, 1, JSON.stringify(step));
  }
});

test('a pause between attempts ends when the request is aborted', async () => {
  const { client } = scripted([{ status: 503, retryAfter: '25' }]);
  const aborting = new AbortController();
  const request = listContacts(client, { signal: aborting.signal });
  setImmediate(() => aborting.abort());
  await assert.rejects(request, { name: 'AbortError' });
});
