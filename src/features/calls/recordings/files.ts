import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, isoOf } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { nodeState } from '../../../kernel/node.ts';
import { codecOfWav, wavHeader, wavHeaderBytes } from '../../../talking/recording/wav.ts';
import * as store from './store.ts';
import type { Recording } from './store.ts';

/** Where recordings lie, and the care for them: headers are completed after a crash, and files go when their time is over. */

const place = nodeState('recordings', () => ({ root: '', sweep: (): void => undefined }));

/** Where the recordings of an installation lie. */
export const recordingsDirectory = ({ recording }: Pick<App['config'], 'recording'>, dataDirectory: string): string =>
  recording.directory ?? join(dataDirectory, 'recordings');

/** The folder of a call's file. */
export const monthOf = (createdAt: number): string => isoOf(createdAt).slice(0, 'yyyy-mm'.length);

export const fileOf = (app: App, { callId, orgId, month }: Recording): string =>
  join(place(app).root, pathOf({ callId, orgId, month }));

/** Of a recording's file, within the directory of all. */
export const pathOf = ({ callId, orgId, month }: Recording): string => join(orgId, month, `${callId}.wav`);

/** The picture of the sound is kept beside it. */
export const envelopeFileOf = (app: App, recording: Recording): string =>
  fileOf(app, recording).replace(/\.wav$/, '.envelope');

/** Deletes, soon, the files of recordings that were dropped. */
export const sweepRecordings = (app: App): void => place(app).sweep();

export type RecordingCare = {
  /** Deletes recordings whose time is over, now and every hour. */
  begin(): void;
  stop(): Promise<void>;
};

const sweepEveryMs = 3_600_000;
const pageSize = 200;

export function startRecordings(app: App, directory: string): RecordingCare {
  const state = place(app);
  state.root = recordingsDirectory(app.config, directory);
  let sweeping: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;
  let isStopped = true;

  const sweep = async (): Promise<void> => {
    try {
      while (!isStopped && (await deletePage(app))) continue;
    } catch (error) {
      app.log.warn({ error: messageOf(error) }, 'recordings could not be cleaned up; it is tried again in an hour');
    }
  };
  state.sweep = () => void (sweeping = sweeping.then(() => (isStopped ? undefined : sweep())));
  const next = (): void => {
    state.sweep();
    cancel = app.clock.alarm(app.clock.now() + sweepEveryMs, next);
  };
  return {
    begin() {
      isStopped = false;
      next();
    },
    async stop() {
      isStopped = true;
      cancel();
      await sweeping;
    },
  };
}

/** Writes the length of a file whose writer died into its header. Returns whether there is such a file. */
export async function completeFile(app: App, recording: Recording): Promise<boolean> {
  const file = fileOf(app, recording);
  if (!existsSync(file)) return false;
  try {
    await completeHeader(file);
  } catch (error) {
    app.log.warn({ callId: recording.callId, error: messageOf(error) }, 'the header of a recording was not completed');
  }
  return true;
}

async function completeHeader(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const header = await headerFor(handle);
    if (header) await handle.write(header, 0, wavHeaderBytes, 0);
  } finally {
    await handle.close();
  }
}

/** The header that fits the present length of a file; undefined for a file without one. */
export async function headerFor(handle: FileHandle): Promise<Buffer | undefined> {
  const header = Buffer.alloc(wavHeaderBytes);
  const { bytesRead } = await handle.read(header, 0, wavHeaderBytes, 0);
  const codec = bytesRead === wavHeaderBytes ? codecOfWav(header) : undefined;
  if (codec === undefined) return undefined;
  const { size } = await handle.stat();
  const soundBytes = size - wavHeaderBytes;
  return wavHeader(codec, soundBytes - (soundBytes % 2));
}

/** Deletes some of the recordings whose time is over; returns whether there may be more. */
async function deletePage(app: App): Promise<boolean> {
  const days = app.config.recording.retention_days;
  const until = days === 0 ? 0 : app.clock.now() - days * dayMs;
  const old = await store.endedUntil(app.db, until, pageSize);
  for (const recording of old) await deleteFiles(app, recording);
  for (const orgId of new Set(old.map((recording) => recording.orgId))) {
    const ids = old.filter((recording) => recording.orgId === orgId).map(({ callId }) => callId);
    await transact(app.db, orgId, (tx) => store.forget(tx, ids));
  }
  return old.length === pageSize;
}

export async function deleteFiles(app: App, recording: Recording): Promise<void> {
  await rm(fileOf(app, recording), { force: true });
  await rm(envelopeFileOf(app, recording), { force: true });
}
