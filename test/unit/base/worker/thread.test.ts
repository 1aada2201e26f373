import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { WorkerModule } from '../../../../src/base/worker/module.ts';
import { restarting } from '../../../../src/base/worker/restarting.ts';
import { startThread, ThreadDied, type Thread } from '../../../../src/base/worker/thread.ts';
import type { TestProtocol } from './module.ts';

const module: WorkerModule = { asset: 'none', url: () => new URL('module.ts', import.meta.url) };

/** A thread that is ended after the test, and the one-way messages that it has sent. */
function aThread(t: TestContext, data: Partial<TestProtocol['data']> = {}) {
  const heard: string[] = [];
  const thread = startThread<TestProtocol>(module, {
    name: 'test',
    data: { greeting: 'Hello', ...data },
    silent: true,
    onMessage: (message) => heard.push(message.heard),
    onExit: () => heard.push('exit'),
  });
  t.after(() => thread.kill());
  return { thread, heard };
}

const greet = (thread: Pick<Thread<TestProtocol>, 'request'>, name: string): Promise<unknown> =>
  thread.request({ does: 'greet', name });

test('Requests are answered each with its own reply, and an error comes with its message and code.', async (t) => {
  const { thread } = aThread(t);
  const [ada, refused, lou] = await Promise.allSettled([
    greet(thread, 'Ada'),
    thread.request({ does: 'throw' }),
    greet(thread, 'Lou'),
  ]);
  assert.deepEqual(
    [ada, lou].map((one) => one.status === 'fulfilled' && one.value),
    ['Hello, Ada', 'Hello, Lou'],
  );
  assert.ok(refused.status === 'rejected');
  const { message, code, stack } = refused.reason as NodeJS.ErrnoException;
  assert.deepEqual([message, code], ['refused', 'REFUSED']);
  assert.match(stack ?? '', /module\.ts/, 'the stack is the thread’s');
});

test('One-way messages go both ways, in their order with the replies.', async (t) => {
  const { thread, heard } = aThread(t);
  const waited = thread.request({ does: 'wait' });
  thread.post({ word: 'go on' });
  assert.equal(await waited, 'waited');
  assert.deepEqual(heard, ['go on']);
});

test('A message that cannot be sent fails only its own request, on either side.', async (t) => {
  const { thread } = aThread(t);
  await assert.rejects(thread.request({ does: 'reply with a function' }), /could not be cloned/);
  await assert.rejects(thread.request({ does: 'greet', name: (() => undefined) as never }), /could not be cloned/);
  assert.equal(await greet(thread, 'Ada'), 'Hello, Ada');
});

test('When a thread dies at its start, requests to it are rejected with the cause.', async (t) => {
  const { thread, heard } = aThread(t, { diesAtStart: true });
  await assert.rejects(greet(thread, 'Ada'), (error: Error) => {
    assert.ok(error instanceof ThreadDied);
    assert.equal(error.message, 'the test thread ended before it answered');
    assert.equal((error.cause as Error).message, 'no start');
    return true;
  });
  assert.deepEqual([thread.isAlive(), heard], [false, ['exit']]);
  await thread.ended;
  await assert.rejects(greet(thread, 'Lou'), ThreadDied);
});

test('When a thread dies during a request, the death is reported, and then all pending requests are rejected.', async (t) => {
  for (const [does, cause] of [
    ['crash', /^Error: crashed$/],
    ['exit', /^undefined$/],
  ] as const) {
    const { thread, heard } = aThread(t);
    const pending = [thread.request({ does: 'wait' }), thread.request({ does })];
    for (const request of pending) {
      await assert.rejects(request, (error: Error) => {
        assert.deepEqual([error instanceof ThreadDied, heard], [true, ['exit']]);
        assert.match(String(error.cause), cause);
        return true;
      });
    }
  }
});

test('When a thread that never answers is killed, all pending requests are rejected with the reason.', async (t) => {
  const { thread } = aThread(t);
  await thread.ready;
  const pending = thread.request({ does: 'hang' });
  const killed = thread.kill(new Error('too long'));
  await assert.rejects(pending, /^Error: too long$/);
  await killed;
  await assert.rejects(greet(thread, 'Ada'), /^Error: too long$/);
  assert.equal(await thread.usedBytes(), 0);
});

test('A thread that is ended answers pending requests, refuses new ones, and cleans up.', async (t) => {
  const { thread, heard } = aThread(t);
  const pending = thread.request({ does: 'wait' });
  const end = thread.end();
  assert.equal(thread.isAlive(), false);
  await assert.rejects(greet(thread, 'Ada'), /^Error: the test thread is ending$/);
  assert.deepEqual(heard, []);
  thread.post({ word: 'go on' });
  assert.equal(await pending, 'waited');
  await end;
  assert.deepEqual(heard, ['go on', 'the end', 'exit']);
});

test('A thread that does not end within the grace is killed.', async (t) => {
  const { thread } = aThread(t);
  await thread.ready;
  const pending = thread.request({ does: 'hang' });
  await Promise.all([assert.rejects(pending, /^Error: the test thread was stopped$/), thread.end(10)]);
});

test('A restarting thread starts with the first request, and again after it died or could not be started.', async (t) => {
  let starts = 0;
  const thread = restarting<TestProtocol>(() => {
    starts += 1;
    if (starts === 3) return Promise.reject(new Error('not now'));
    return Promise.resolve(aThread(t, { diesAtStart: starts === 1 }).thread);
  });
  assert.equal(starts, 0);
  await assert.rejects(greet(thread, 'Ada'), ThreadDied);
  assert.deepEqual(await Promise.all([greet(thread, 'Ada'), greet(thread, 'Lou')]), ['Hello, Ada', 'Hello, Lou']);
  assert.equal(starts, 2);
  await assert.rejects(thread.request({ does: 'crash' }), ThreadDied);
  await assert.rejects(greet(thread, 'Ada'), /^Error: not now$/);
  assert.equal(await greet(thread, 'Ada'), 'Hello, Ada');
  await thread.end();
});

test('A thread keeps the process alive only while somebody waits for it.', () => {
  const program = fileURLToPath(import.meta.resolve('./waits-and-ends.ts'));
  const { stdout, status } = spawnSync(process.execPath, [program], {
    env: { ...process.env, NODE_V8_COVERAGE: '' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.deepEqual([status, stdout], [0, 'Hello, Ada\ntrue\n']);
});
