/** Where the executable begins. Not bin/parley.js, whose cache and finding of files are for a checkout. */
import { runCli } from '../src/cli/index.ts';

void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
