/** Preloaded into a server (`node --import`): lengthens each sync of the log by SLOW_SYNCS_MS, and counts them in SLOW_SYNCS_COUNT. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const ms = Number(process.env['SLOW_SYNCS_MS']);
const counter = process.env['SLOW_SYNCS_COUNT']!;
const { fdatasync } = fs;
let syncs = 0;
const slow = (file: number, done: fs.NoParamCallback): void => {
  syncs += 1;
  if (ms === 0) fdatasync(file, done);
  else setTimeout(() => fdatasync(file, done), ms);
};
fs.fdatasync = slow as typeof fdatasync;
syncBuiltinESMExports();
process.on('SIGUSR2', () => fs.writeFileSync(counter, String(syncs)));
