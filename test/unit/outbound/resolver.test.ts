import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextMacrotask } from '../../../src/base/clock.ts';
import { onBehalfOf } from '../../../src/base/on-behalf-of.ts';
import { fairResolver, type Resolver } from '../../../src/base/outbound/resolver.ts';
import { client, serve } from './support.ts';

/** A resolver that answers a name only when the test calls `answer`; other names than hanging ones lead to 127.0.0.1. */
function heldResolver() {
  const held = new Map<string, Parameters<Resolver>[2]>();
  const asked: string[] = [];
  const resolver: Resolver = (hostname, _options, callback) => {
    asked.push(hostname);
    if (hostname.startsWith('hang')) held.set(hostname, callback);
    else setImmediate(callback, null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const answer = (hostname: string): void => {
    const callback = held.get(hostname)!;
    held.delete(hostname);
    callback(null, [{ address: '127.0.0.2', family: 4 }]);
  };
  return { resolver, held, asked, answer };
}

const ask = (resolver: Resolver, owner: string, hostname: string): Promise<string> =>
  new Promise((resolve, reject) => {
    onBehalfOf(owner, () =>
      resolver(hostname, { all: true }, (error, addresses) => {
        if (error) reject(error);
        else resolve(addresses.map(({ address }) => address).join());
      }),
    );
  });

const hour = 3_600_000;

test('names that nobody answers for delay no other organization', async () => {
  const { resolver, held } = heldResolver();
  const fair = fairResolver(resolver, { maxRunning: 3, timeoutMs: hour });
  for (let name = 0; name < 100; name += 1) void ask(fair, 'hog', `hang-${name}.example`);
  assert.deepEqual([...held.keys()], ['hang-0.example', 'hang-1.example']);
  assert.equal(await ask(fair, 'guest', 'one.example'), '127.0.0.1');
  assert.deepEqual(await Promise.all(['two', 'three', 'four'].map((name) => ask(fair, 'guest', `${name}.example`))), [
    '127.0.0.1',
    '127.0.0.1',
    '127.0.0.1',
  ]);
  assert.equal(held.size, 2);
});

test('an ended lookup makes room for the next of its organization', async () => {
  const { resolver, held, answer } = heldResolver();
  const fair = fairResolver(resolver, { maxRunning: 3, timeoutMs: hour });
  const answers = [0, 1, 2, 3].map((name) => ask(fair, 'hog', `hang-${name}`));
  answer('hang-1');
  assert.equal(await answers[1], '127.0.0.2');
  await nextMacrotask();
  assert.deepEqual([...held.keys()], ['hang-0', 'hang-2']);
  for (const name of ['hang-0', 'hang-2', 'hang-3']) {
    answer(name);
    await nextMacrotask();
  }
  await Promise.all(answers);
  assert.equal(held.size, 0);
});

test('a name that is being looked up, or that the organization waits for, is not looked up twice', async () => {
  const { resolver, asked, answer } = heldResolver();
  const fair = fairResolver(resolver, { maxRunning: 1, timeoutMs: hour });
  const running = [ask(fair, 'a', 'hang'), ask(fair, 'b', 'hang'), ask(fair, 'a', 'hang')];
  const waiting = [ask(fair, 'a', 'hang-next'), ask(fair, 'a', 'hang-next')];
  assert.deepEqual(asked, ['hang']);
  answer('hang');
  await Promise.all(running);
  await nextMacrotask();
  answer('hang-next');
  await Promise.all(waiting);
  assert.deepEqual(asked, ['hang', 'hang-next']);
});

test('whoever waits too long gets an error, whether or not the lookup has begun, and the thread stays occupied', async () => {
  const { resolver, held, asked, answer } = heldResolver();
  const fair = fairResolver(resolver, { maxRunning: 1, timeoutMs: 5 });
  const late = /there was no answer within 5 ms/;
  await Promise.all([
    assert.rejects(ask(fair, 'a', 'hang'), late),
    assert.rejects(ask(fair, 'a', 'never-begun'), late),
    assert.rejects(ask(fair, 'b', 'never-begun-either'), late),
  ]);
  assert.deepEqual([...held.keys()], ['hang']);
  answer('hang');
  assert.deepEqual(asked, ['hang'], 'nobody waits for the others any more');
  assert.equal(await ask(fair, 'b', 'one.example'), '127.0.0.1');
});

test('the requests of one organization to names that hang leave those of another through', async (t) => {
  const { resolver, held } = heldResolver();
  const fair = fairResolver(resolver, { maxRunning: 3, timeoutMs: hour });
  const { port, seen } = await serve(t, (response) => response.end('thanks'));
  const outbound = client(t, { guard: false, resolver: fair });
  const post = (url: string) => outbound.post(url, { headers: {}, body: '{}', timeoutMs: hour });
  const hanging = Array.from({ length: 40 }, (_, index) =>
    onBehalfOf('hog', () => post(`http://hang-${index}.example:${port}/`)),
  );
  const { statusCode } = await onBehalfOf('guest', () => post(`http://one.example:${port}/`));
  assert.equal(statusCode, 200);
  assert.deepEqual([seen.length, held.size], [1, 2]);
  const ended = Promise.allSettled(hanging);
  await outbound.close();
  await ended;
});
