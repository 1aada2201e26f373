import { type FileHandle, open } from 'node:fs/promises';
import { conflict, notFound } from '../../../base/errors.ts';
import { onCommit, transact, type Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { appLocal } from '../../../kernel/node.ts';
import type { Codec } from '../../../telephony/audio/g711.ts';
import type { RecordingReport } from '../../../talking/recording/recordings.ts';
import { codecOfWav, wavHeaderBytes } from '../../../talking/recording/wav.ts';
import { findAgent } from '../../agents/service.ts';
import type { Call } from '../call.ts';
import { callById, updateCall } from '../store.ts';
import { recordTimeline } from '../timeline.ts';
import { type Envelope, keptEnvelope, reduced } from './envelope.ts';
import { completeFile, deleteFiles, envelopeFileOf, fileOf, headerFor, monthOf, sweepRecordings } from './files.ts';
import * as store from './store.ts';

const recordingFor = ({ id, orgId, createdAt }: Call): store.Recording => ({
  callId: id,
  orgId,
  month: monthOf(createdAt),
});

/** Where a call that is about to be made is recorded; null if its agent's calls are not. */
export async function recordingFileOf(app: App, call: Call): Promise<string | null> {
  const agent = await findAgent(app.db, call.orgId, call.agentId);
  return agent?.recordCalls === true ? fileOf(app, recordingFor(call)) : null;
}

const brokenOff = appLocal(() => ({ count: 0 }));

/** Recordings that ended before their calls, since the start. */
export const recordingsBrokenOff = (app: App): number => brokenOff(app).count;

/** Writes what the thread that records a call reports. */
export async function writeRecording(app: App, callId: string, orgId: string, report: RecordingReport): Promise<void> {
  await transact(app.db, orgId, async (tx) => {
    const call = await callById(tx, callId);
    if (!call) return;
    if (report.type === 'begun') await announce(app, tx, call);
    const detail = report.type === 'begun' ? null : `broken off: ${report.reason}`;
    await recordTimeline(tx, callId, { at: app.clock.now(), type: 'recording', detail });
  });
  if (report.type === 'begun') return;
  brokenOff(app).count += 1;
  app.log.error({ callId, error: report.reason }, 'the recording of a call was broken off; the call goes on');
}

async function announce(app: App, tx: Tx, call: Call): Promise<void> {
  await store.insertRecording(tx, recordingFor(call));
  if (call.endedAt !== null) await store.setEnd(tx, call.id, call.endedAt);
  await updateCall(tx, call.id, { recording_url: `${app.baseUrl()}/api/v1/calls/${call.id}/recording` });
}

/** For a call whose recorder died: completes its file, which may have been begun without having been reported. False if there is none. */
export async function completeRecording(app: App, callId: string): Promise<boolean> {
  const call = await callById(app.db, callId);
  return call !== undefined && completeFile(app, recordingFor(call));
}

/** For a call whose file was completed. Returns the call as it is then. */
export async function adoptRecording(app: App, tx: Tx, call: Call): Promise<Call> {
  await announce(app, tx, call);
  return (await callById(tx, call.id))!;
}

/** Takes recordings away in the transaction; their files follow soon after its commit. Does nothing for calls without one. */
export async function dropRecordings(app: App, tx: Tx, callIds: readonly string[]): Promise<void> {
  await store.drop(tx, callIds);
  onCommit(tx, () => sweepRecordings(app));
}

async function recordingOf(
  app: App,
  orgId: string,
  callId: string,
): Promise<{ call: Call; recording: store.Recording }> {
  const call = await callById(app.db, callId);
  const recording = call?.orgId === orgId ? await store.recordingOfCall(app.db, callId) : undefined;
  if (!call || call.orgId !== orgId) throw notFound('call');
  if (!recording) throw notFound('recording of this call');
  return { call, recording };
}

/** How loud both sides are over time, of a live call so far. Made once for a call that has ended. */
export async function envelopeOf(app: App, orgId: string, callId: string, points: number): Promise<Envelope> {
  const { call, recording } = await recordingOf(app, orgId, callId);
  const sound = await openRecording(app, orgId, callId);
  try {
    const file = call.state === 'ended' ? envelopeFileOf(app, recording) : null;
    return reduced(await keptEnvelope(file, sound), points);
  } finally {
    await sound.close();
  }
}

/** The bytes of a recording as they are now, in a file that says how long it is. */
export type RecordedSound = {
  codec: Codec;
  size: number;
  read(this: void, from: number, to: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
};

/** @throws notFound when the organization has no such call, or the call has no recording */
export async function openRecording(app: App, orgId: string, callId: string): Promise<RecordedSound> {
  const { recording } = await recordingOf(app, orgId, callId);
  const handle = await open(fileOf(app, recording)).catch(() => {
    throw notFound('recording of this call');
  });
  const header = await headerFor(handle);
  if (!header) {
    await handle.close();
    throw notFound('recording of this call');
  }
  const size = wavHeaderBytes + header.readUInt32LE(54);
  return {
    codec: codecOfWav(header)!,
    size,
    read: (from, to) => readRange(handle, header, from, to),
    close: () => handle.close(),
  };
}

const chunkBytes = 65_536;

/** `to` is excluded. */
async function* readRange(handle: FileHandle, header: Buffer, from: number, to: number): AsyncGenerator<Buffer> {
  if (from < wavHeaderBytes) yield header.subarray(from, Math.min(to, wavHeaderBytes));
  for (let at = Math.max(from, wavHeaderBytes); at < to;) {
    const chunk = Buffer.alloc(Math.min(chunkBytes, to - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error('the recording was deleted while it was read');
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** @throws notFound for a call without a recording; conflict while the call is live */
export async function deleteRecording(app: App, orgId: string, callId: string): Promise<void> {
  const { call, recording } = await recordingOf(app, orgId, callId);
  if (call.state !== 'ended') throw conflict('The call is still being recorded; hang up first.');
  // Nobody can fetch it from here on, also if the process dies before its file is gone.
  await transact(app.db, orgId, (tx) => store.drop(tx, [callId]));
  await deleteFiles(app, recording);
  await transact(app.db, orgId, (tx) => store.forget(tx, [callId]));
}
