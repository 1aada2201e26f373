/**
 * Messages between a thread and its starter. A protocol is one type, used on both sides:
 * `type Reading = WorkerProtocol & { data: Limits; request: Document; reply: Text }`.
 */
export type WorkerProtocol = {
  /** Given to the thread at its start. */
  data: unknown;
  request: unknown;
  reply: unknown;
  /** One-way messages; `never` where there are none. */
  toThread: unknown;
  fromThread: unknown;
};

/** The messages that are posted to the thread. `end` is the last one. */
export type ToThread<P extends WorkerProtocol> =
  | { id: number; request: P['request'] }
  | { post: P['toThread'] }
  | 'end';

/** The messages that the thread posts. `ready` comes once, when the thread has loaded its module. */
export type FromThread<P extends WorkerProtocol> =
  | 'ready'
  | { id: number; reply: P['reply'] }
  | { id: number; failure: Failure }
  | { post: P['fromThread'] };

/** An error as it crosses threads. A structured clone would drop `code`, which SQLite's and Node's errors carry. */
export type Failure = { message: string; code: string | undefined; stack: string | undefined };

export function failureOf(thrown: unknown): Failure {
  const error = (thrown instanceof Error ? thrown : new Error(String(thrown))) as NodeJS.ErrnoException;
  return { message: error.message, code: error.code, stack: error.stack };
}

export const errorOf = ({ message, code, stack }: Failure): Error =>
  Object.assign(new Error(message), code === undefined ? { stack } : { code, stack });
