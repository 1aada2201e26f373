import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { Context } from 'koa';
import { createLive } from '../../src/features/live/streams.ts';
import type { Topic } from '../../src/features/live/topics.ts';
import { eventStreamAnswer } from '../../src/http/output/event-stream.ts';
import { createTestApp } from '../support/app.ts';

/** Longer than any test; streams are checked only where a test wants it. */
const never = 2 ** 31 - 1;

/** A topic that has another value at each look. `looked(n)` resolves at the n-th. */
function changingTopic(name: string, padding = '') {
  let looks = 0;
  const waiting = new Map<number, () => void>();
  const topic: Topic = {
    name,
    event: name,
    isOfOne: false,
    read() {
      looks += 1;
      waiting.get(looks)?.();
      return Promise.resolve({ looks, padding });
    },
  };
  const looked = (count: number): Promise<void> =>
    looks >= count ? Promise.resolve() : new Promise((resolve) => waiting.set(count, resolve));
  return { topic, looked, looks: () => looks };
}

test('500 streams over three topics cost one look at each topic, and all of them receive it', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  const live = createLive(app, never);
  t.after(() => live.close());
  const topics = ['one', 'two', 'three'].map((name) => changingTopic(name));
  const received = new Map<number, number>();
  const all = Promise.withResolvers<void>();
  for (let index = 0; index < 500; index++) {
    const stream = live.open({
      orgId: 'org',
      owner: `key ${Math.floor(index / 20)}`,
      topics: topics.map(({ topic }) => topic),
      stillAllowed: () => Promise.resolve(true),
    });
    stream.follow({
      write(chunk) {
        const count = (received.get(index) ?? 0) + chunk.toString().split('event: ').length - 1;
        received.set(index, count);
        if (received.size === 500 && [...received.values()].every((each) => each >= 3)) all.resolve();
        return true;
      },
      end: () => undefined,
      destroy: () => undefined,
    });
  }
  await all.promise;
  // Every further look is told to all, so a look for each watcher would be hundreds by now.
  for (const { looks } of topics) assert.ok(looks() < 100, String(looks()));
  const open = () =>
    live.open({ orgId: 'org', owner: 'another key', topics: [], stillAllowed: () => Promise.resolve(true) });
  assert.throws(open, { kind: 'unavailable' });
});

test('of each topic only the latest event waits for a slow reader', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  const live = createLive(app, never);
  t.after(() => live.close());
  const topics = [changingTopic('one'), changingTopic('two')];
  const written: string[] = [];
  const stream = live
    .open({
      orgId: 'org',
      owner: 'key',
      topics: topics.map(({ topic }) => topic),
      stillAllowed: () => Promise.resolve(true),
    })
    .follow({
      write(chunk) {
        written.push(chunk.toString());
        return false;
      },
      end: () => undefined,
      destroy: () => undefined,
    });
  await Promise.all(topics.map(({ looked }) => looked(4)));
  assert.equal(written.length, 1); // it is not ready, so nothing more is written
  stream.drained();
  stream.drained();
  stream.drained();
  assert.equal(written.length, 3);
  const looksIn = (text: string): number => Number(/"looks":(\d+)/.exec(text)![1]);
  assert.ok(
    written.slice(1).every((text) => looksIn(text) >= 3),
    written.join(''),
  );
});

test('a reader that receives nothing is cut off, and leaves its place to others', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  const live = createLive(app, 1);
  t.after(() => live.close());
  const { topic } = changingTopic('one');
  const open = (answer: boolean, destroy: () => void) =>
    live
      .open({ orgId: 'org', owner: 'key', topics: [topic], stillAllowed: () => Promise.resolve(true) })
      .follow({ write: () => answer, end: () => undefined, destroy });
  let readersCut = 0;
  open(true, () => (readersCut += 1));
  for (let round = 0; round < 30; round++) {
    const cut = Promise.withResolvers<void>();
    open(false, cut.resolve);
    await cut.promise;
  }
  assert.equal(readersCut, 0);
});

test('a connection that takes nothing holds its buffers and one event, however long it lasts', async (t) => {
  const { app, close } = await createTestApp();
  t.after(() => close());
  const live = createLive(app, never);
  t.after(() => live.close());
  const { topic, looked } = changingTopic('large', 'x'.repeat(100_000));
  const stream = live.open({ orgId: 'org', owner: 'key', topics: [topic], stillAllowed: () => Promise.resolve(true) });
  const stuck = new Writable({ highWaterMark: 16_384, write: () => undefined });
  const ctx = { set: () => undefined, res: stuck } as unknown as Context;
  const body = eventStreamAnswer(ctx, stream);
  t.after(() => body.destroy());
  body.pipe(stuck);
  await looked(4);
  const held = body.readableLength + stuck.writableLength;
  assert.ok(held <= 2 * 100_300 + 16_384, String(held));
});
