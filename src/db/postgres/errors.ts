import { StorageRefusal, unreachable } from '../storage.ts';

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Five characters that are not a system error's, such as EPIPE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const isState = (code: string | undefined): code is string =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE';

/** Class 08; the server is shutting down, crashed, starting or full; it ended a transaction that stood still. */
const lossStates = /^(?:08...|57P0[1-5]|53300|25P03)$/;

/** The messages of `pg` for connections that broke; they have no code. */
const lossMessages =
  /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout expired|timeout exceeded|Query read timeout)/;

/** Whether the connection is gone, or never was: the statement may be sent again on another one unless it was a COMMIT. */
export function isLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (isState(code)) return lossStates.test(code);
  if (!(error instanceof Error)) return false;
  return lossMessages.test(error.message) || (code !== undefined && /^E[A-Z]+$/.test(code));
}

/** Whether a lock was not free in time. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/** How a statement fails whose condition does not hold. */
export const isDivisionByZero = (error: unknown): boolean => codeOf(error) === '22012';

/** Whether the server itself has answered, though it may refuse. */
export const isAnswer = (error: unknown): boolean => isState(codeOf(error));

/** A connection that is given up because nothing comes over it. */
export const lost = (reason: string): Error => Object.assign(new Error(reason), { code: '08006' });

/** A wait that took too long though the server is there. */
export const refused = (reason: string): Error => Object.assign(new Error(reason), { code: '57014' });

/** A serialization failure or a deadlock: the same transaction may succeed when it runs again. */
const conflictStates = /^(?:40001|40P01)$/;

/** Why a transaction that failed before its COMMIT may run again; undefined if it may not. */
export function reasonToRepeat(error: unknown): 'conflict' | 'connection' | undefined {
  if (error instanceof StorageRefusal && error.isUncertain) return undefined;
  if (isLoss(error)) return 'connection';
  return conflictStates.test(codeOf(error) ?? '') ? 'conflict' : undefined;
}

/** The disk is full; the server takes no writes; a statement took too long or waited too long for a lock. */
const refusalStates = /^(?:53100|25006|57014|55P03)$/;

/** The error as a StorageRefusal if the database, not the statement, is the reason; any other error as it is. */
export function refusalFrom(error: unknown): unknown {
  if (error instanceof StorageRefusal) return error;
  const code = codeOf(error);
  if (isLoss(error))
    return new StorageRefusal(`${unreachable}${(error as Error).message}`, code ?? '08006', {
      cause: error,
    });
  if (code !== undefined && refusalStates.test(code))
    return new StorageRefusal((error as Error).message, code, { cause: error });
  return error;
}

/** The answer to a COMMIT was lost: it may have happened. */
export const unknownCommit = (error: unknown): StorageRefusal =>
  new StorageRefusal(`${unreachable}the connection broke during a commit: ${(error as Error).message}`, '08007', {
    cause: error,
    isUncertain: true,
  });
