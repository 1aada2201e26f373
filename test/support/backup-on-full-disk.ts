/**
 * Run as a separate process with a data directory and a file: makes a backup while a limit on file sizes (RLIMIT_FSIZE, which holds for a
 * whole process) imitates a full disk, and sends its parent the message of the error.
 */
import { spawnSync } from 'node:child_process';
import { withStore } from '../../src/main/offline.ts';
import { performTask } from '../../src/main/tasks.ts';
import { configFrom } from '../../src/cli/settings.ts';

const [data, file] = process.argv.slice(2);
const limitFiles = (bytes: string): void => {
  const { status, error } = spawnSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:`]);
  if (status !== 0) throw new Error('This test needs prlimit: install util-linux.', { cause: error });
};

process.on('SIGXFSZ', () => undefined);
const message = await withStore(configFrom({ data: data! }).config, async (context) => {
  limitFiles('65536');
  try {
    return await performTask(context)({ task: 'backup', args: { file } }).then(
      () => 'a backup',
      (error: unknown) => (error as Error).message,
    );
  } finally {
    limitFiles('unlimited');
  }
});
process.send!(message);
process.disconnect!();
