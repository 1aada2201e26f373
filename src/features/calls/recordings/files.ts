import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, isoOf } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { transact } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { appLocal } from '../../../kernel/node.ts';
import { codecOfWav, wavHeader, wavHeaderBytes } from '../../../talking/recording/wav.ts';
import * as store from './store.ts';
import type { Recording } from './store.ts';

/** Where recordings lie, and the care for them: headers are completed after a crash, and files go when their time is over. */

const place = appLocal((): { root: string; incomplete: Map<string, Recording> } => ({
  root: '',
  incomplete: new Map(),
}));

/** The folder of a call's file. */
export const monthOf = (createdAt: number): string => isoOf(createdAt).slice(0, 'yyyy-mm'.length);

export const fileOf = (app: App, { callId, orgId, month }: Recording): string =>
  join(place(app).root, orgId, month, `${callId}.wav`);

/** The picture of the sound is kept beside it. */
export const envelopeFileOf = (app: App, recording: Recording): string =>
  fileOf(app, recording).replace(/\.wav$/, '.envelope');

/** The process that wrote the file died, so that its header does not say how long it is. */
export const completeLater = (app: App, recording: Recording): void =>
  void place(app).incomplete.set(recording.callId, recording);

export type RecordingCare = {
  /** Completes what an earlier process left, and looks every hour for recordings whose time is over. Call it when all lost calls have ended. */
  begin(): Promise<void>;
  stop(): Promise<void>;
};

const sweepEveryMs = 3_600_000;
const pageSize = 200;
/** More calls were never live in one process. */
const maxUnfinished = 10_000;

export function startRecordings(app: App, directory: string): RecordingCare {
  const state = place(app);
  state.root = app.config.recording.directory ?? join(directory, 'recordings');
  let sweeping: Promise<void> = Promise.resolve();
  let cancel = (): void => undefined;
  let isStopped = false;

  const sweep = async (): Promise<void> => {
    try {
      for (const recording of [...state.incomplete.values()]) await complete(app, recording);
      while (!isStopped && (await deletePage(app))) continue;
    } catch (error) {
      app.log.warn({ error: messageOf(error) }, 'recordings could not be cleaned up; it is tried again in an hour');
    }
  };
  const next = (): void => {
    if (isStopped) return;
    sweeping = sweep();
    cancel = app.clock.alarm(app.clock.now() + sweepEveryMs, next);
  };
  return {
    async begin() {
      for (const recording of await store.unfinished(app.db, maxUnfinished)) completeLater(app, recording);
      next();
    },
    async stop() {
      isStopped = true;
      cancel();
      await sweeping;
    },
  };
}

async function complete(app: App, recording: Recording): Promise<void> {
  place(app).incomplete.delete(recording.callId);
  try {
    await completeHeader(fileOf(app, recording));
  } catch (error) {
    app.log.warn({ callId: recording.callId, error: messageOf(error) }, 'the header of a recording was not completed');
  }
}

/** Writes the length of the file into its header. */
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
