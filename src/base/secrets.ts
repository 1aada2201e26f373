import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writePrivateFile } from './files.ts';
import { memoize } from './memoize.ts';

/** The installation's secrets. They are in a file of their own, so that a copy of the database alone decrypts nothing. */
export type Secrets = {
  /** The HS256 key of access tokens, 32 bytes. */
  tokenKey: Uint8Array;
  /** Signs the cursors of lists, so that only those that this installation made are accepted. */
  cursorKey: Uint8Array;
  /** A key of its own for each purpose, from which neither the token key nor another purpose's can be computed. */
  derivedKey(purpose: string): Buffer;
  /** Tells installations apart, also where several run on one machine. Not secret, and the same after a restart, a restore or a rotation. */
  installationId: string;
  /** Hash (HMAC) of a text and bytes that may hold a password, so that nobody can find it by trying without this file. */
  fingerprint(text: string, bytes?: Uint8Array): string;
  /** Whether the first start that created these secrets has not finished yet. */
  isFirstStart(): boolean;
  /** Records that the first start has finished. */
  endFirstStart(): void;
  /** Encrypts for storage (AES-256-GCM): `<key id>.<iv>.<tag>.<ciphertext>` in base64url. `decrypt` needs the same `context`. */
  encrypt(plain: string, context: string): string;
  /** @throws when the text was modified or encrypted for another context, or its key is gone */
  decrypt(encrypted: string, context: string): string;
  /** Whether a text is encrypted with the current key. */
  isCurrent(encrypted: string): boolean;
  /** The ids of the encryption keys, oldest first. */
  keyIds(): string[];
  /** Writes a new key into the file, for a later `rotate`, unless one is there that does not encrypt yet. Returns its id. */
  prepareKey(): string;
  /** Switches `encrypt` to the prepared key, or to a new one. Older keys still decrypt the texts they encrypted. */
  rotate(): void;
  /** Reads the file again, into which another process may have written a key. Keeps what is known where the file cannot be read. */
  refresh(): void;
  /** Lets a key encrypt from now on, unless an older one or an unknown one: another node with a copy of the file has switched to it. */
  follow(keyId: string): void;
  /** Deletes all encryption keys but the current and the previous one, which may have encrypted a value that is not stored yet. */
  forgetOldKeys(): void;
};

/** `sealing` holds the encryption keys by id, oldest first. */
type SecretsFile = {
  /** Present until the database holds an installation. Once it is gone, a database without one must have been lost. */
  first_start?: true;
  token_key: string;
  sealing: { current: string; keys: Record<string, string> };
};

/** Reads the secrets file, or creates it on first start with mode 0600. */
export function loadSecrets(path: string): Secrets {
  if (!existsSync(path)) store(path, freshFile());
  let file = parse(path);
  const change = (changed: SecretsFile): void => {
    store(path, changed);
    file = changed; // only after the write: a value must not be encrypted with a key that a crash would lose
  };
  const follow = (keyId: string): void => {
    const ids = Object.keys(file.sealing.keys);
    if (ids.indexOf(keyId) > ids.indexOf(file.sealing.current)) file = withCurrent(file, keyId);
  };
  const tokenKey = Buffer.from(file.token_key, 'base64');
  const derivedKey = (purpose: string): Buffer => createHmac('sha256', tokenKey).update(purpose).digest();
  const fingerprintKey = derivedKey('fingerprint');
  return {
    tokenKey,
    cursorKey: derivedKey('cursors of lists'),
    derivedKey,
    fingerprint: (text, bytes = new Uint8Array()) =>
      createHmac('sha256', fingerprintKey).update(text).update(bytes).digest('hex'),
    installationId: hash('sha256', `installation ${file.token_key}`).slice(0, 12),
    isFirstStart: () => file.first_start === true,
    endFirstStart() {
      const { first_start: _, ...rest } = file;
      change(rest);
    },
    encrypt: (plain, context) => encrypt(file, plain, context),
    decrypt: cachedDecrypt((encrypted, context) => decrypt(file, encrypted, context)),
    isCurrent: (encrypted) => encrypted.startsWith(`${file.sealing.current}.`),
    keyIds: () => Object.keys(file.sealing.keys),
    prepareKey() {
      if (newestKey(file) === file.sealing.current) change(withNewKey(file));
      return newestKey(file);
    },
    rotate() {
      const prepared = newestKey(file) === file.sealing.current ? withNewKey(file) : file;
      change(withCurrent(prepared, newestKey(prepared)));
    },
    refresh() {
      const { current } = file.sealing;
      const read = readable(path);
      if (read?.token_key === file.token_key) file = read;
      follow(current);
    },
    follow,
    forgetOldKeys: () => change(withoutOldKeys(file)),
  };
}

const store = (path: string, file: SecretsFile): void => writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);

/**
 * Decrypted values that are kept in memory, because some, such as the secrets that sign webhooks, are needed all the time. With fewer,
 * 10,000 agents would need one decryption per delivery.
 */
const maxDecrypted = 20_000;

function cachedDecrypt(uncached: Secrets['decrypt']): Secrets['decrypt'] {
  const decrypted = memoize(maxDecrypted, (key) => {
    const end = key.indexOf('\n');
    return uncached(key.slice(0, end), key.slice(end + 1));
  });
  return (encrypted, context) => decrypted(`${encrypted}\n${context}`);
}

const randomKey = (): string => randomBytes(32).toString('base64');

function freshFile(): SecretsFile {
  const file = withNewKey({ first_start: true, token_key: randomKey(), sealing: { current: '', keys: {} } });
  return withCurrent(file, newestKey(file));
}

const newestKey = ({ sealing }: SecretsFile): string => Object.keys(sealing.keys).at(-1)!;

const withCurrent = (file: SecretsFile, current: string): SecretsFile => ({
  ...file,
  sealing: { ...file.sealing, current },
});

/** The ids of the encryption keys in a secrets file; none where it cannot be read. */
export const keyIdsIn = (path: string): string[] => Object.keys(readable(path)?.sealing.keys ?? {});

/** Undefined where the file is missing or damaged, for example because it is being copied. */
function readable(path: string): SecretsFile | undefined {
  try {
    return parse(path);
  } catch {
    return undefined; // the next look reads it again
  }
}

/** The id starts with a letter, because objects list integer keys before all others and the order of the keys is their age. */
function withNewKey({ sealing, ...rest }: SecretsFile): SecretsFile {
  const id = `k${randomBytes(4).toString('hex')}`;
  return { ...rest, sealing: { ...sealing, keys: { ...sealing.keys, [id]: randomKey() } } };
}

function withoutOldKeys({ sealing, ...rest }: SecretsFile): SecretsFile {
  const kept = Object.entries(sealing.keys).slice(-2);
  return { ...rest, sealing: { ...sealing, keys: Object.fromEntries(kept) } };
}

function parse(path: string): SecretsFile {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as SecretsFile;
    if (Buffer.from(file.token_key, 'base64').length < 32) throw new Error('token_key is too short');
    if (!file.sealing.keys[file.sealing.current]) throw new Error('the current encryption key is missing');
    return file;
  } catch (error) {
    throw new Error(`${path} is damaged; restore it from a backup`, { cause: error });
  }
}

function keyOf(file: SecretsFile, id: string): Buffer {
  const key = file.sealing.keys[id];
  if (key === undefined) throw new Error(`encryption key ${id} is not in the secrets file`);
  return Buffer.from(key, 'base64');
}

function encrypt(file: SecretsFile, plain: string, context: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(file, file.sealing.current), iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [
    file.sealing.current,
    ...[iv, cipher.getAuthTag(), ciphertext].map((part) => part.toString('base64url')),
  ].join('.');
}

function decrypt(file: SecretsFile, encrypted: string, context: string): string {
  const [id = '', iv = '', tag = '', text = ''] = encrypted.split('.');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(file, id), Buffer.from(iv, 'base64url'));
  decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
}
