import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { transact } from '../../src/db/transaction.ts';
import { fileOf, monthOf } from '../../src/features/calls/recordings/files.ts';
import { dropRecordings } from '../../src/features/calls/recordings/service.ts';
import { findCall } from '../../src/features/calls/service.ts';
import { loadConfig } from '../../src/main/configuration.ts';
import { requestRunningServer } from '../../src/main/control/client.ts';
import { restoreBackup } from '../../src/main/restore.ts';
import { aPhone } from '../support/fixtures.ts';
import { aRecording } from '../support/recordings.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { newCallingOrg } from './calling-support.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function scratch(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'parley-recordings-kept-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function aServer(t: TestContext, settings: Readonly<Record<string, string>>, data?: string): Promise<TestServer> {
  const server = await startTestServer({ settings, ...(data === undefined ? {} : { data }) });
  t.after(() => server.stop());
  return server;
}

/** The files of recordings of as many ended calls of a campaign. */
async function recordedCalls(server: TestServer, phones: readonly string[], settings: object = {}) {
  const org = await newCallingOrg(server);
  await org.run(phones, settings);
  await server.advance(600_000);
  const calls = await org.calls();
  const { app } = server.running;
  const files = await Promise.all(
    calls.map(async ({ call_session_id: callId }) => {
      await aRecording(app, callId);
      const { orgId, createdAt } = (await findCall(app.db, callId))!;
      return {
        callId,
        status: calls.find((call) => call.call_session_id === callId)!.status,
        file: fileOf(app, { callId, orgId, month: monthOf(createdAt) }),
      };
    }),
  );
  return { org, files };
}

const gone = async (file: string): Promise<void> => {
  while (existsSync(file)) await pause(10);
};

test('a recording goes within an hour after its time is over, and its call stays', async (t) => {
  const server = await aServer(t, { 'recording.retention_days': '1' });
  const { org, files } = await recordedCalls(server, [aPhone('00')]);
  const [{ callId, file }] = files as [(typeof files)[0]];
  await server.advance(dayMs - hourMs);
  await pause(50); // what is deleted too early would be by now
  assert.ok(existsSync(file));
  await server.advance(2 * hourMs);
  await gone(file);
  const recording = (): Promise<number> => org.client.get(`/calls/${callId}/recording`).then(({ status }) => status);
  while ((await recording()) !== 404) await pause(10);
  const [call] = await org.calls();
  assert.deepEqual([call!.call_session_id, call!['recording_url']], [callId, null]);
});

test('recordings go with their calls; that of a call that a retry still needs stays with it', async (t) => {
  const server = await aServer(t, { 'calls.retention_days': '2', 'recording.retention_days': '0' });
  const schedule = { maxConcurrent: 10, retryAttempts: 1, retryGapMin: 10_080 };
  const { files } = await recordedCalls(server, [aPhone('00'), aPhone('02')], { schedule });
  const fileOfA = (status: string): string => files.find((one) => one.status === status)!.file;
  await server.advance(4 * dayMs);
  await gone(fileOfA('completed'));
  assert.ok(existsSync(fileOfA('busy')));
});

test('a recording that is dropped cannot be fetched any more, and its file goes', async (t) => {
  const server = await aServer(t, {});
  const { org, files } = await recordedCalls(server, [aPhone('00'), aPhone('00')]);
  const [dropped, kept] = files as [(typeof files)[0], (typeof files)[0]];
  const { app } = server.running;
  await transact(app.db, org.client.orgId, (tx) => dropRecordings(app, tx, [dropped.callId]));
  assert.equal((await org.client.get(`/calls/${dropped.callId}/recording`)).status, 404);
  await gone(dropped.file);
  assert.ok(existsSync(kept.file));
});

test('a backup has recordings where it is told to, and a restore brings them back', async (t) => {
  const directory = scratch(t);
  const data = join(directory, 'data');
  const server = await aServer(t, {}, data);
  const { files } = await recordedCalls(server, [aPhone('00'), aPhone('00')]);
  const [first, second] = files as [(typeof files)[0], (typeof files)[0]];
  const without = join(directory, 'without.db');
  await requestRunningServer(data, { task: 'backup', args: { file: without } });
  assert.equal(existsSync(`${without}.recordings`), false);
  const file = join(directory, 'with.db');
  rmSync(second.file); // as if it were deleted while the backup is made
  await requestRunningServer(data, { task: 'backup', args: { file, recordings: true } });
  const copy = first.file.replace(join(data, 'recordings'), `${file}.recordings`);
  assert.deepEqual(readFileSync(copy), readFileSync(first.file));
  await assert.rejects(
    requestRunningServer(data, { task: 'backup', args: { file, recordings: true } }),
    /already exists/,
  );
  assert.ok(existsSync(copy));
  const bytes = readFileSync(first.file);
  await server.stop();
  rmSync(first.file);
  const argvSettings = [{ path: 'data', value: data }];
  const { config } = loadConfig({ argvSettings, env: {}, readFile: () => '' });
  assert.equal((await restoreBackup(config, file, { nowMs: 0 })).recordings, 1);
  assert.deepEqual(readFileSync(first.file), bytes);
});
