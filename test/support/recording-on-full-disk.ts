/**
 * Run as a separate process with a file: records a call while a limit on file sizes (RLIMIT_FSIZE) imitates a full disk, and sends its parent
 * what the recorder reports.
 */
import { spawnSync } from 'node:child_process';
import { createRecordings, type RecordingReport } from '../../src/talking/recording/recordings.ts';

const [file] = process.argv.slice(2);
process.on('SIGXFSZ', () => undefined);
const { status, error } = spawnSync('prlimit', [`--pid=${process.pid}`, '--fsize=40000:']);
if (status !== 0) throw new Error('This test needs prlimit: install util-linux.', { cause: error });

const alive = setInterval(() => undefined, 1000); // the recorder's own timer keeps no process
const reports: RecordingReport[] = [];
const brokenOff = Promise.withResolvers<void>();
const recordings = createRecordings((_callId, report) => {
  reports.push(report);
  if (report.type === 'broken-off') brokenOff.resolve();
});
recordings.expect('call', file!);
const tap = recordings.tapOf('call');
tap.answered('PCMU');
tap.heard(new Uint8Array(8000).fill(3), 0);
await brokenOff.promise;
tap.heard(new Uint8Array(8000).fill(3), 3000); // the call goes on
await recordings.end('call');
recordings.close();
clearInterval(alive);
process.send!(reports);
process.disconnect!();
