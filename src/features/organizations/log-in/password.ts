import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createHashSlots, type HashRequester } from './hash-slots.ts';

/** Length limits in characters; passphrases must fit (NIST SP 800-63B). */
export const minPasswordLength = 8;
export const maxPasswordLength = 1024;

type Cost = { memory: number; passes: number; parallelism: number };

/** OWASP's Password Storage Cheat Sheet recommends this for Argon2id: 19 MiB, two passes. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const hashBytes = 32;
const saltBytes = 16;

/** Hashes run on the thread pool, which file access and DNS lookups also need, and leave a processor to everything else. */
const maxRunning = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Hashing this many passwords takes some seconds. One sender may have half of them. */
const maxPending = 128;

const slots = createHashSlots({ maxRunning, maxPending });

/** Normalizes the password, because keyboards encode the same characters differently. */
const derive = (password: string, salt: Buffer, { memory, passes, parallelism }: Cost, bytes: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const message = password.normalize('NFKC');
    const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength: bytes };
    argon2('argon2id', parameters, (error, hash) => (error ? reject(error) : resolve(hash)));
  });

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
const format = ({ memory, passes, parallelism }: Cost, salt: Buffer, hash: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;

/** Passwords are set by people with an account, never by strangers. */
const operator: HashRequester = { sender: '', isTrusted: true };

/** The stored form of a password: an Argon2id hash with its cost and salt, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return format(cost, salt, await slots.run(operator, () => derive(password, salt, cost, hashBytes)));
}

/** A hash that no password matches. Verifying against it makes an unknown person take as long as a wrong password. */
const dummyHash = format(cost, Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/**
 * Whether a password matches a stored hash. Without a hash: false, after the same time.
 * @throws rate_limited when too many passwords wait to be hashed; Error when the stored text is not an Argon2id hash
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
  requester: HashRequester,
): Promise<boolean> {
  const match = pattern.exec(stored ?? dummyHash);
  if (!match) throw new Error('a stored password is not an Argon2id hash');
  const [memory, passes, parallelism] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, expected] = match.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  const actual = await slots.run(requester, () =>
    derive(password, salt, { memory, passes, parallelism }, expected.length),
  );
  return timingSafeEqual(actual, expected) && stored !== undefined;
}
