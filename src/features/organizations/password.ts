import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../base/errors.ts';

/** Shorter ones are refused; a longer one is a passphrase (NIST SP 800-63B). */
export const shortestPassword = 8;
export const maxPasswordLength = 1024;

type Cost = { memory: number; passes: number; parallelism: number };

/** What OWASP's Password Storage Cheat Sheet asks of Argon2id: 19 MiB, two passes. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const hashBytes = 32;
const saltBytes = 16;

/** Hashes that run at the same time: they fill the threads that files and name resolution need, too. */
const maxRunning = 2;
/** Hashes that may wait for those: about two seconds' worth. */
const maxWaiting = 64;

let running = 0;
const waiting: Array<() => void> = [];

/** Only so many at a time, so that a flood of logins takes neither memory nor threads from everybody else. */
async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) {
    if (waiting.length >= maxWaiting) {
      throw new AppError('rate_limited', 'Too many people log in just now; try again in a moment.', {
        headers: { 'Retry-After': '2' },
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await run();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** The same password typed on another keyboard has the same bytes. */
const derive = (password: string, salt: Buffer, { memory, passes, parallelism }: Cost, bytes: number) =>
  inTurn(
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

/** What is stored of a password: Argon2id with its cost and salt, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return format(cost, salt, await derive(password, salt, cost, hashBytes));
}

/** Nobody's password: verified against where there is none, so that an unknown person takes as long as a wrong password. */
const nobodys = format(cost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Whether a password is the one that a stored hash was made of; without a hash false, after the same time. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const match = pattern.exec(stored ?? nobodys);
  if (!match) throw new Error('a stored password is no Argon2id hash');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, expected] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  const actual = await derive(password, salt, { memory, passes, parallelism }, expected.length);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}
