/** Entry point of the packaged executable; bin/parley.js sets up a compile cache and finds files in a checkout instead. */
import { runCli } from '../src/cli/index.ts';

async function run(): Promise<void> {
  process.env['UV_THREADPOOL_SIZE'] ??= '12'; // as in bin/parley.js
  process.exitCode = await runCli(process.argv.slice(2));
}

void run();
