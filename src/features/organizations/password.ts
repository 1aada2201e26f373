import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import { AppError } from '../../base/errors.ts';

/** Length limits in characters; passphrases must fit (NIST SP 800-63B). */
export const minPasswordLength = 8;
export const maxPasswordLength = 1024;

type Cost = { memory: number; passes: number; parallelism: number };

/** OWASP's Password Storage Cheat Sheet recommends this for Argon2id: 19 MiB, two passes. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const hashBytes = 32;
const saltBytes = 16;

/** Concurrent hashes. They run on the thread pool, which file access and DNS lookups also need. */
const maxRunning = 2;
/** Hashes that may wait, about two seconds of work. */
const maxWaiting = 64;

const limit = pLimit(maxRunning);

/** Bounds concurrent hashes, so that a flood of log-ins takes neither the memory nor the threads that everything else needs. */
function whenFree<T>(run: () => Promise<T>): Promise<T> {
  if (limit.activeCount + limit.pendingCount < maxRunning + maxWaiting) return limit(run);
  const error = new AppError('rate_limited', 'Too many people are logging in right now; try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });
  return Promise.reject(error);
}

/** Normalizes the password, because keyboards encode the same characters differently. */
const derive = (password: string, salt: Buffer, { memory, passes, parallelism }: Cost, bytes: number) =>
  whenFree(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const message = password.normalize('NFKC');
        const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength: bytes };
        argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const format = ({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;

/** The stored form of a password: an Argon2id hash with its cost and salt, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return format(cost, salt, await derive(password, salt, cost, hashBytes));
}

/** A hash that no password matches. Verifying against it makes an unknown person take as long as a wrong password. */
const dummyHash = format(cost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Whether a password matches a stored hash. Without a hash: false, after the same time. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const match = pattern.exec(stored ?? dummyHash);
  if (!match) throw new Error('a stored password is not an Argon2id hash');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, expected] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  const actual = await derive(password, salt, { memory, passes, parallelism }, expected.length);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}
