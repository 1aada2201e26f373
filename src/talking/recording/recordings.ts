import { type FileHandle, mkdir, open as openFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { every, monotonicMs } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { createUnfinished } from '../../base/unfinished.ts';
import type { Codec } from '../../telephony/audio/g711.ts';
import { noTap, type SoundTap } from '../../telephony/audio/tap.ts';
import { createTracks, type Tracks } from './tracks.ts';
import { unknownBytes, wavHeader, wavHeaderBytes } from './wav.ts';

/** `begun`: the file exists. `broken-off`: nothing more is written, but what is written stays. */
export type RecordingReport = { type: 'begun' } | { type: 'broken-off'; reason: string };

/** The recordings of the calls of a thread: files that are written while the calls go on. */
export type Recordings = {
  /** The call is to be recorded from its answer on. */
  expect(callId: string, file: string): void;
  /** Hears a call; does nothing for one that is not recorded. */
  tapOf(callId: string): SoundTap;
  /** The call has ended; undefined if it is not recorded, else a promise that resolves when its file is complete. */
  end(callId: string): Promise<void> | undefined;
  /** Resolves when all files of ended calls are complete. */
  settled(): Promise<void>;
  close(): void;
};

const checkEveryMs = 250;
/** A disk that is this many seconds behind would fill the memory. */
const maxWaitingWrites = 30;

export function createRecordings(report: (callId: string, report: RecordingReport) => void): Recordings {
  const expected = new Map<string, string>();
  const open = new Map<string, Recording>();
  const ending = createUnfinished();
  let stopChecking: (() => void) | undefined;

  function begin(callId: string, file: string, codec: Codec): Recording {
    const recording = startRecording(file, codec, (told) => report(callId, told));
    open.set(callId, recording);
    stopChecking ??= every(checkEveryMs, () => {
      for (const one of open.values()) one.write();
    });
    return recording;
  }

  return {
    expect: (callId, file) => void expected.set(callId, file),
    tapOf(callId) {
      const file = expected.get(callId);
      if (file === undefined) return noTap;
      let recording: Recording | undefined;
      return {
        answered: (codec) => void (recording ??= begin(callId, file, codec)),
        heard: (audio, atMs) => recording?.tracks.place('person', audio, atMs),
        sent: (audio, atMs) => recording?.tracks.place('agent', audio, atMs),
      };
    },
    end(callId) {
      expected.delete(callId);
      const recording = open.get(callId);
      if (!recording) return undefined;
      open.delete(callId);
      if (open.size === 0) {
        stopChecking?.();
        stopChecking = undefined;
      }
      const ended = recording.end();
      ending.add(ended);
      return ended;
    },
    settled: () => ending.settled(),
    close: () => stopChecking?.(),
  };
}

type Recording = {
  tracks: Tracks;
  /** To be called a few times a second: appends the second that is due. */
  write(): void;
  /** Never rejects. */
  end(): Promise<void>;
};

function startRecording(file: string, codec: Codec, report: (report: RecordingReport) => void): Recording {
  const tracks = createTracks(codec);
  const answeredMs = monotonicMs();
  const sinceAnswer = (): number => monotonicMs() - answeredMs;
  let handle: FileHandle | undefined;
  let soundBytes = 0;
  let waiting = 0;
  let isBroken = false;

  function breakOff(reason: string): void {
    if (isBroken) return;
    isBroken = true;
    report({ type: 'broken-off', reason });
  }

  let written = (async () => {
    try {
      handle = await create(file);
      await handle.write(wavHeader(codec, unknownBytes), 0, wavHeaderBytes, 0);
      report({ type: 'begun' });
    } catch (error) {
      breakOff(messageOf(error));
    }
  })();

  async function writeAfter(earlier: Promise<void>, sound: Buffer): Promise<void> {
    await earlier;
    waiting -= 1;
    if (isBroken) return;
    try {
      await writeAll(handle!, sound, wavHeaderBytes + soundBytes);
      soundBytes += sound.length;
    } catch (error) {
      breakOff(messageOf(error));
    }
  }

  /** The writes of a call follow one another; after a fault nothing more is written. */
  function append(sound: Buffer): void {
    if (isBroken || sound.length === 0) return;
    if (waiting >= maxWaitingWrites) return breakOff('the disk is too slow');
    waiting += 1;
    written = writeAfter(written, sound);
  }

  return {
    tracks,
    write() {
      const sound = tracks.due(sinceAnswer());
      if (sound) append(sound);
    },
    async end() {
      append(tracks.rest(sinceAnswer()));
      await written;
      try {
        await handle?.write(wavHeader(codec, soundBytes), 0, wavHeaderBytes, 0);
        await handle?.close();
      } catch (error) {
        breakOff(messageOf(error));
      }
    },
  };
}

/** Readable for the server's user alone. */
async function create(file: string): Promise<FileHandle> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return openFile(file, 'wx', 0o600);
}

/** @throws the fault of a write, such as a full disk, also when a part of the bytes was written */
async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
