/** Preloaded into the server (`node --import`): its syncs fail while the file FAIL_SYNCS exists. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const flag = process.env['FAIL_SYNCS']!;
const { fdatasync } = fs;
const failing = (file: number, done: fs.NoParamCallback): void => {
  if (!fs.existsSync(flag)) fdatasync(file, done);
  else done(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' }));
};
fs.fdatasync = failing as typeof fdatasync;
syncBuiltinESMExports();
