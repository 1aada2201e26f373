import type { QueryResult } from 'kysely';
import type pg from 'pg';
import type { PartialRows } from '../connection.ts';
import { pipelining, requireValues, run, runAll, runUpTo, type StatementOptions } from './client.ts';
import type { Clients } from './clients.ts';
import { isLoss, unknownCommit } from './errors.ts';

/** A transaction on a client, to which each statement is sent without waiting for the answers to those before. */
export type Pipeline = {
  /** Sends a statement, and resolves to its answer. Fails with the error of the first statement that failed. */
  ask<R>(text: string, values: readonly unknown[]): Promise<QueryResult<R>>;
  askUpTo<R>(text: string, values: readonly unknown[], maxBytes: number): Promise<PartialRows<R>>;
  /** Sends a statement whose answer nobody reads. */
  send(text: string, values: readonly unknown[]): Promise<void> | undefined;
  /** Resolves when all statements are answered. @throws the first error */
  settled(): Promise<void>;
  rollBackTo(savepoint: string): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Whether the connection is of no use any more. */
  isLost(): boolean;
};

export type PipelineParts = {
  client: pg.ClientBase;
  answered: Clients['answered'];
  options: StatementOptions;
  /** Records an error, and returns what to throw. */
  noted: (error: unknown) => unknown;
  /** The error of the transaction's beginning. */
  beginError: (error: unknown) => unknown;
};

export type Sent = { text: string; values: readonly unknown[] };

/** `text`: statements without parameters, sent as one. `checks`: prepared statements that follow and must succeed before anything else. */
type Begin = { text: string; checks: readonly Sent[] };

/** Statements under way at a time: what is sent waits in memory until the server takes it. */
const maxUnderWay = 64;

/**
 * Begins a transaction. The server refuses all that follows one that failed, so that nothing of the transaction is
 * committed, whoever reads its answers.
 */
// oxlint-disable-next-line max-lines-per-function -- one transaction; its functions share the statements under way and the first error
export function beginPipeline(begin: Begin, { client, answered, options, noted, beginError }: PipelineParts): Pipeline {
  const underWay = new Set<Promise<void>>();
  /** The first error since the beginning, or since the savepoint that was rolled back to. */
  let failure: { error: unknown; isTold: boolean } | undefined;
  let [isAnswered, isLost, isEnded] = [false, false, false];
  /** Ends with the answer to the last statement. */
  let last = Promise.resolve();
  let alone = Promise.resolve();

  function follow<T>(answer: Promise<T>): Promise<T> {
    const before = last;
    const followed = answer.then(
      (value) => {
        isAnswered = true;
        return value;
      },
      async (error: unknown) => {
        isLost ||= isLoss(error);
        await before; // its error comes first
        failure ??= { error: noted(error), isTold: false };
        throw failure.error;
      },
    );
    const ended: Promise<void> = followed.then(
      () => void underWay.delete(ended),
      () => void underWay.delete(ended),
    );
    underWay.add(ended);
    last = ended;
    return followed;
  }

  async function allAnswered(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  function tell(): void {
    if (!failure) return;
    failure.isTold = true;
    throw failure.error;
  }

  /** To be called before a statement is sent. */
  function requireOpen(): void {
    if (isEnded) throw new Error('query after its transaction ended (a promise was not awaited)');
    tell();
  }

  async function told<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (failure) failure.isTold = true;
      throw error;
    }
  }

  async function settled(): Promise<void> {
    await allAnswered();
    tell();
  }

  /** Alone on the client, because it stays at the server until all portions are read. */
  async function readAlone<R>(text: string, values: readonly unknown[], maxBytes: number): Promise<PartialRows<R>> {
    await allAnswered();
    requireOpen();
    pipelining(client, false);
    try {
      return await told(follow(answered(client, runUpTo<R>(client, text, values, { ...options, maxBytes }))));
    } finally {
      pipelining(client, true);
    }
  }

  pipelining(client, true);
  const begun: Array<Promise<unknown>> = [
    runAll(client, begin.text),
    ...begin.checks.map(({ text, values }) => run(client, text, values, options)),
  ];
  for (const answer of begun) {
    const checked = answer.catch((error: unknown) => {
      throw beginError(error);
    });
    follow(answered(client, checked)).catch(() => undefined); // the next statement tells
  }

  return {
    async ask<R>(text: string, values: readonly unknown[]) {
      requireOpen();
      requireValues(values);
      return told(follow(answered(client, run<R>(client, text, values, options))));
    },
    askUpTo<R>(text: string, values: readonly unknown[], maxBytes: number) {
      const read = alone.then(() => readAlone<R>(text, values, maxBytes));
      alone = read.then(
        () => undefined,
        () => undefined,
      );
      return read;
    },
    send(text, values) {
      requireOpen();
      requireValues(values); // an error here is the caller's: nothing is sent that the server could refuse
      follow(answered(client, run(client, text, values, options))).catch(() => undefined); // a later statement or the commit tells
      return underWay.size < maxUnderWay ? undefined : settled();
    },
    settled,
    async rollBackTo(savepoint) {
      await allAnswered();
      await answered(client, run(client, `ROLLBACK TO ${savepoint}`, [], options));
      failure = undefined;
    },
    async commit() {
      // A connection that was dead before the transaction began: as long as COMMIT was not sent, the transaction may run again.
      if (!isAnswered) await allAnswered();
      isEnded = true;
      if (failure) throw ignored(failure);
      const committed = await answered(client, client.query('COMMIT')).catch((error: unknown) => {
        isLost = isLoss(error);
        throw isLost ? unknownCommit(error) : noted(error);
      });
      await allAnswered();
      if (failure) throw ignored(failure);
      if (committed.command === 'ROLLBACK') throw new Error('a statement of the transaction failed');
      pipelining(client, false);
    },
    async rollback() {
      isEnded = true;
      if (!isLost) await answered(client, runAll(client, 'ROLLBACK')).catch(() => void (isLost = true));
      pipelining(client, false);
    },
    isLost: () => isLost,
  };
}

/** Why a transaction cannot be committed. */
const ignored = ({ error, isTold }: { error: unknown; isTold: boolean }): unknown =>
  isTold ? new Error('a statement of the transaction failed, and its error was ignored', { cause: error }) : error;
