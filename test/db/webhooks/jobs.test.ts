import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundError } from '../../../src/base/outbound/client.ts';
import { transact } from '../../../src/db/transaction.ts';
import type { App } from '../../../src/kernel/app.ts';
import type { ExternalJob, Job } from '../../../src/kernel/queue.ts';
import { webhookJobs } from '../../../src/features/webhooks/jobs.ts';
import { retryDelivery } from '../../../src/features/webhooks/service.ts';
import { minute, second, startReceiver, startWebhookTest, type WebhookTest } from './support.ts';

/** The delivery job, to be called without the runner. */
const deliveryJob = ({ app }: WebhookTest): ExternalJob =>
  webhookJobs(app.config, { jitter: () => 0 }).find(({ kind }) => kind === 'webhook.deliver') as ExternalJob;

const jobOf = (id: string) => ({ key: id }) as Job<never>;

/** When the waiting delivery jobs are due, in milliseconds from now, in order. */
async function dueInMs({ app, clock }: WebhookTest): Promise<number[]> {
  const rows = await app.db
    .selectFrom('outbox')
    .select('due_at')
    .where('kind', '=', 'webhook.deliver')
    .orderBy('due_at')
    .execute();
  return rows.map((row) => row.due_at - clock.now());
}

/** A test whose only delivery failed once and is retried in 30 s. */
async function withRetryingDelivery(...args: Parameters<typeof startReceiver>) {
  const web = await startReceiver(...args);
  const env = await startWebhookTest(args[0], [web.url()]);
  web.answerWith({ status: 500 });
  await env.endCall();
  await env.settled();
  const [delivery] = await env.deliveries();
  assert.equal(delivery!.status, 'retrying');
  return { web, env, id: delivery!.id };
}

test('an attempt that the end of the process aborts is not recorded as a failure', async (t) => {
  const { env, id } = await withRetryingDelivery(t);
  const post = () => Promise.reject(new OutboundError('aborted', 'The server is stopping.'));
  const app: App = { ...env.app, outbound: { ...env.app.outbound, post } };
  const run = deliveryJob(env).run(app, jobOf(id), new AbortController().signal);
  await assert.rejects(run, { reason: 'aborted' });
});

test('a delivery runs again immediately after the end of the process, and in a minute after any other error', async (t) => {
  const { env, id } = await withRetryingDelivery(t);
  const dueAfter = async (error: Error): Promise<number[]> => {
    await env.app.db.deleteFrom('outbox').execute();
    await env.app.db.updateTable('webhook_deliveries').set({ next_attempt_at: env.clock.now() }).execute();
    let due: number[] = [];
    const rollBack = new Error('roll back, so that the runner does not run the job');
    const attempt = transact(env.app.db, env.orgId, async (tx) => {
      await deliveryJob(env).exhausted(env.app, tx, jobOf(id), error);
      due = await dueInMs({ ...env, app: { ...env.app, db: tx } });
      throw rollBack;
    });
    await assert.rejects(attempt, rollBack);
    return due;
  };
  assert.deepEqual(await dueAfter(new OutboundError('aborted', 'The server is stopping.')), [0]);
  assert.deepEqual(await dueAfter(new Error('a bug')), [minute]);
});

test('a job that finds its delivery scheduled for later does not run it earlier', async (t) => {
  const { env, id } = await withRetryingDelivery(t);
  await env.app.db.deleteFrom('outbox').execute();
  await transact(env.app.db, env.orgId, (tx) =>
    deliveryJob(env).exhausted(env.app, tx, jobOf(id), new OutboundError('aborted', 'The server is stopping.')),
  );
  assert.deepEqual(await dueInMs(env), [30 * second]);
});

test('after a failed attempt, and only then, the rest of its lane waits for the commit', async (t) => {
  const { web, env, id } = await withRetryingDelivery(t);
  const run = () => deliveryJob(env).run(env.app, jobOf(id), new AbortController().signal);
  assert.equal((await run()).barrier, true);
  web.answerWith({ status: 200 });
  assert.equal((await run()).barrier, undefined);
});

test('pausing an endpoint removes the jobs of the deliveries that it holds', async (t) => {
  const { web, env } = await withRetryingDelivery(t);
  web.answerWith({ status: 410 });
  await env.endCall();
  await env.settled();
  assert.deepEqual(
    (await env.deliveries()).map(({ status }) => status),
    ['held', 'retrying'],
  );
  assert.equal((await dueInMs(env)).length, 1, 'only the job of the probe is left');
});

test('removing a URL removes the jobs of its deliveries', async (t) => {
  const { env } = await withRetryingDelivery(t);
  await env.save();
  assert.deepEqual(await dueInMs(env), []);
});

test('retrying a delivery by hand during an attempt adds no second attempt', async (t) => {
  const { web, env, id } = await withRetryingDelivery(t);
  web.answerWith('hang');
  const passing = env.pass(30 * second);
  await web.arrived(2);
  // Adds a newer job: otherwise SQLite would give the replacing job the id of the running one, which would be the highest.
  await env.endCall();
  await retryDelivery(env.app, env.orgId, id);
  web.answerWith({ status: 200 });
  web.release(500);
  await passing;
  const deliveries = await env.deliveries();
  assert.deepEqual(
    deliveries.map(({ status, attemptCount }) => [status, attemptCount]),
    [
      ['retrying', 2],
      ['delivered', 1],
    ],
  );
  assert.equal(deliveries[0]!.nextAttemptAt! - env.clock.now(), 30 * second);
});
