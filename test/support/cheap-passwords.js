/**
 * Imported first by each process that runs several test files (run.ts): a password's hash takes 37 ms of processor time, here 0.5. The
 * reference hash in test/unit/organizations/password.test.ts has this much memory. Files that start other processes, which would not verify
 * such hashes, never import this.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const maxMemoryKib = 256;

const { argon2 } = crypto;
crypto.argon2 = (algorithm, parameters, callback) =>
  argon2(algorithm, { ...parameters, memory: Math.min(parameters.memory, maxMemoryKib) }, callback);
syncBuiltinESMExports();
