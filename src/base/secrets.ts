import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writePrivateFile } from './files.ts';
import { memoize } from './memoize.ts';

/** The installation's own secrets, kept in a file beside the database so that a copy of the database alone opens nothing. */
export type Secrets = {
  /** HS256 key of access tokens, 32 bytes. */
  tokenKey: Uint8Array;
  /** Encrypts for storage: `<key id>.<iv>.<tag>.<ciphertext>`, base64url, AES-256-GCM. `context` must be given again to open it. */
  seal(plain: string, context: string): string;
  /** @throws when the text was changed, belongs to another context, or its key is gone */
  open(sealed: string, context: string): string;
  /** Whether a text is sealed under the key that `seal` uses now. */
  isCurrent(sealed: string): boolean;
  /** Seals under a new key from now on; the others go on opening what they sealed. */
  rotate(): void;
  /** Forgets the sealing keys from before the last rotation but one: what was sealed in the moment of the last may not be stored yet. */
  forgetOldKeys(): void;
};

/** Sealing keys by their id, oldest first. */
type File = { token_key: string; sealing: { current: string; keys: Record<string, string> } };

/** Reads the secrets, or makes them on first start (0600, contract section 3). */
export function loadSecrets(path: string): Secrets {
  if (!existsSync(path)) store(path, freshFile());
  let file = parse(path);
  const change = (changed: File): void => {
    store(path, changed);
    file = changed; // once it is on the disk: what is sealed can be opened after a crash
  };
  return {
    tokenKey: Buffer.from(file.token_key, 'base64'),
    seal: (plain, context) => seal(file, plain, context),
    open: keepingOpen((sealed, context) => open(file, sealed, context)),
    isCurrent: (sealed) => sealed.startsWith(`${file.sealing.current}.`),
    rotate: () => change(withNewKey(file)),
    forgetOldKeys: () => change(withoutOldKeys(file)),
  };
}

const store = (path: string, file: File): void => writePrivateFile(path, `${JSON.stringify(file, null, 2)}\n`);

/** What is opened again and again, such as the secret that signs an agent's webhooks, is deciphered once. */
function keepingOpen(openAnew: Secrets['open']): Secrets['open'] {
  const opened = memoize(1000, (name) => {
    const end = name.indexOf('\n');
    return openAnew(name.slice(0, end), name.slice(end + 1));
  });
  return (sealed, context) => opened(`${sealed}\n${context}`);
}

const randomKey = (): string => randomBytes(32).toString('base64');

const freshFile = (): File => withNewKey({ token_key: randomKey(), sealing: { current: '', keys: {} } });

/** The id begins with a letter: an object lists keys that are whole numbers before all others, whatever their age. */
function withNewKey({ sealing, ...rest }: File): File {
  const id = `k${randomBytes(4).toString('hex')}`;
  return { ...rest, sealing: { current: id, keys: { ...sealing.keys, [id]: randomKey() } } };
}

function withoutOldKeys({ sealing, ...rest }: File): File {
  const kept = Object.entries(sealing.keys).slice(-2);
  return { ...rest, sealing: { ...sealing, keys: Object.fromEntries(kept) } };
}

function parse(path: string): File {
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as File;
    if (Buffer.from(file.token_key, 'base64').length < 32) throw new Error('token_key is too short');
    if (!file.sealing.keys[file.sealing.current]) throw new Error('the current sealing key is missing');
    return file;
  } catch (error) {
    throw new Error(`${path} is damaged; restore it from a backup`, { cause: error });
  }
}

function keyOf(file: File, id: string): Buffer {
  const key = file.sealing.keys[id];
  if (key === undefined) throw new Error(`sealing key ${id} is not in the secrets file`);
  return Buffer.from(key, 'base64');
}

function seal(file: File, plain: string, context: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(file, file.sealing.current), iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [file.sealing.current, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join(
    '.',
  );
}

function open(file: File, sealed: string, context: string): string {
  const [id = '', iv = '', tag = '', text = ''] = sealed.split('.');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(file, id), Buffer.from(iv, 'base64url'));
  decipher.setAAD(Buffer.from(context)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
}
