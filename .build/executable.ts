/** Where the executable begins. Not bin/parley.js, whose cache and finding of files are for a checkout. */
import { runCli } from '../src/cli/index.ts';

async function run(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2));
}

void run();
