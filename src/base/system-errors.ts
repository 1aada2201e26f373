import { messageOf } from './errors.ts';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not do that',
  EPERM: 'this user may not do that',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a directory',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
};

const deeds: Readonly<Record<string, string>> = {
  mkdir: 'The directory %s cannot be made',
  mkdtemp: 'No temporary directory can be made at %s',
  open: '%s cannot be opened',
  rename: '%s cannot be renamed',
  unlink: '%s cannot be deleted',
  chmod: 'The permissions of %s cannot be changed',
  scandir: 'The directory %s cannot be read',
};

type SystemError = Error & { code: string; path: string; syscall: string };

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && ['code', 'path', 'syscall'].every((key) => typeof Reflect.get(error, key) === 'string');

/** Why a file could not be read, as the end of a sentence that names it. */
export function fileReason(error: unknown): string {
  const reason = isSystemError(error) ? reasons[error.code] : undefined;
  return reason === undefined ? messageOf(error) : `${reason} (${(error as SystemError).code})`;
}

/** An error as a sentence for people: one of the operating system names the file, what could not be done, and why. */
export function sentenceOf(error: unknown): string {
  if (!isSystemError(error)) return messageOf(error);
  const reason = reasons[error.code];
  const deed = deeds[error.syscall] ?? `%s cannot be used (${error.syscall})`;
  return reason === undefined
    ? messageOf(error)
    : `${deed.replace('%s', () => error.path)}: ${reason} (${error.code}).`;
}
