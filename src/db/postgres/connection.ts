import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryResult } from 'kysely';
import type pg from 'pg';
import { monotonicMs } from '../../base/clock.ts';
import type { Connection } from '../connection.ts';
import { StorageRefusal, unreachable } from '../storage.ts';
import { installation, type Scope } from '../transaction.ts';
import type { PostgresSettings } from './address.ts';
import { run as send, runUpTo as sendUpTo } from './client.ts';
import { type ClientsParts, createClients } from './clients.ts';
import { isDivisionByZero, isLoss, reasonToRepeat } from './errors.ts';
import type { StoreMeters } from './meters.ts';
import { lockSpace } from './locks.ts';
import { beginPipeline, type Pipeline, type Sent } from './pipeline.ts';
import { createScopeLine } from './scope-line.ts';
import type { PostgresStorage } from './storage.ts';

/** An open transaction. Its queries run on the client that it holds. */
export type OpenTransaction = Connection & {
  commit(): Promise<void>;
  rollback(): Promise<void>;
};

/** The pool's clients behind the interface of one connection. */
export type PostgresConnection = Connection & {
  /** Begins the transaction of the `withWriteLock` in which the running code is. */
  begin(): Promise<OpenTransaction>;
  /** Writes to the database, to learn whether it accepts writes again. */
  probe(): Promise<void>;
};

/** The transaction that is about to begin or open, and why it may run again where it has failed. */
type Attempt = { scopes: readonly Scope[]; startedMs: number; failure: ReturnType<typeof reasonToRepeat> };

export type ConnectionParts = {
  pool: ClientsParts['pool'];
  storage: PostgresStorage;
  meters: StoreMeters;
  settings: PostgresSettings;
  /** Whether another connection may be opened to learn if the database answers. */
  probes: boolean;
  /** The turn of this node (active-node.ts); undefined for a command that works beside the active one. */
  epoch: () => number | undefined;
  /** Called when another node has become active. */
  onLost?: () => void;
};

/** A transaction whose connection broke, or that met a conflict, runs this often again. */
const maxRepeats = 3;
/** A read outside of transactions whose connection broke, because the pool notices broken connections only when it uses them. */
const maxReadRepeats = 2;

/** A transaction that stands still this long (ms) is ended by the server. */
const maxIdleMs = 10_000;

/** FNV-1a. Scopes with the same hash only wait for one another. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0 || 1;
}

function outside(): never {
  throw new Error('a savepoint or a lock outside transact()');
}

const ownLock = `pg_advisory_xact_lock(${lockSpace}, CAST($1 AS integer))`;
const sharedLock = `pg_advisory_xact_lock_shared(${lockSpace}, 0)`;

/**
 * Locks of the transaction, because a pooler passes those of a session on: of other processes and threads, those of the same scopes wait. In
 * the order of their numbers, so that no two wait for one another.
 */
function locksFor(scopes: readonly Scope[]): Sent[] {
  if (scopes.includes(installation)) return [{ text: `SELECT pg_advisory_xact_lock(${lockSpace}, 0)`, values: [] }];
  const hashes = [...new Set(scopes.map(hashOf))].toSorted((a, b) => a - b);
  if (hashes.length < 2)
    return [{ text: `SELECT ${[sharedLock, ownLock].slice(0, 1 + hashes.length).join()}`, values: hashes }];
  const own = `SELECT pg_advisory_xact_lock(${lockSpace}, CAST(value AS integer)) FROM json_array_elements_text(CAST($1 AS json))`;
  return [
    { text: `SELECT ${sharedLock}`, values: [] },
    { text: own, values: [JSON.stringify(hashes)] },
  ];
}

/** Statements that change nothing. A WITH may contain a change. */
const reading = /^\s*(?:SELECT|VALUES|SHOW|EXPLAIN)\b|^\s*WITH\b(?![^]*\b(?:INSERT INTO|UPDATE|DELETE FROM)\b)/i;

// oxlint-disable-next-line max-lines-per-function -- one connection; its functions share the pool and the number of open transactions
export function createPostgresConnection(parts: ConnectionParts): PostgresConnection {
  const { pool, storage, meters, settings, probes } = parts;
  const isOutOfReach = (): boolean => storage.refusal()?.startsWith(unreachable) ?? false;
  const { acquire, answered } = createClients({ pool, settings, probes, isOutOfReach });
  const options = { prepares: settings.preparesStatements };
  const run = <R>(client: pg.ClientBase, text: string, values: readonly unknown[]) =>
    answered(client, send<R>(client, text, values, options));
  const runUpTo = <R>(client: pg.ClientBase, text: string, values: readonly unknown[], maxBytes: number) =>
    answered(client, sendUpTo<R>(client, text, values, { ...options, maxBytes }));
  /** Whether work that began then may begin again: not when the caller would wait longer than for the first time-out. */
  const mayRepeat = (startedMs: number): boolean => monotonicMs() - startedMs < settings.connectTimeoutMs / 2;
  const begin = `BEGIN; SET LOCAL statement_timeout = ${settings.statementTimeoutMs}; SET LOCAL idle_in_transaction_session_timeout = ${maxIdleMs}`;
  const attempts = new AsyncLocalStorage<Attempt>();
  const line = createScopeLine();
  let open = 0;

  /**
   * Begins a transaction. With a turn, the server itself fails it where another node has become active, which waited for these locks: its
   * statements are on the way before the answer is here.
   */
  function beginOn(client: pg.ClientBase, scopes: readonly Scope[], noted: (error: unknown) => unknown): Pipeline {
    const epoch = parts.epoch();
    const checks = locksFor(scopes);
    if (epoch !== undefined)
      checks.push({ text: 'SELECT 1 / count(*) FROM active_node WHERE epoch = $1', values: [epoch] });
    const beginError = (error: unknown): unknown => {
      if (epoch === undefined || !isDivisionByZero(error)) return error;
      parts.onLost?.();
      return new StorageRefusal('another node has become active', '25006');
    };
    return beginPipeline({ text: begin, checks }, { client, answered, options, noted, beginError });
  }

  async function withClient<T>(sinceMs: number, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await acquire(sinceMs);
    try {
      const result = await work(client);
      storage.succeeded();
      client.release();
      return result;
    } catch (error) {
      client.release(isLoss(error));
      throw error;
    }
  }

  async function read<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const startedMs = monotonicMs();
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await withClient(startedMs, work);
      } catch (error) {
        if (repeats >= maxReadRepeats || !isLoss(error) || !mayRepeat(startedMs)) throw storage.failed(error);
        meters.repeated('connection');
      }
    }
  }

  /** A write outside of transactions: it is one of its own, which waits for none of a scope. */
  async function write<R>(text: string, values: readonly unknown[]): Promise<QueryResult<R>> {
    const startedMs = monotonicMs();
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await withClient(startedMs, (client) => writeOn<R>(client, text, values));
      } catch (error) {
        const failure = reasonToRepeat(error);
        const isTooLate = failure === 'connection' && !mayRepeat(startedMs);
        if (failure === undefined || isTooLate || repeats >= maxRepeats) throw storage.failed(error);
        meters.repeated(failure);
      }
    }
  }

  async function writeOn<R>(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<QueryResult<R>> {
    const transaction = beginOn(client, [], (error) => error);
    try {
      const result = await transaction.ask<R>(text, values);
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }

  async function beginTransaction(): Promise<OpenTransaction> {
    const attempt = attempts.getStore();
    if (!attempt) throw new Error('a transaction outside transact()');
    const noted = (error: unknown): unknown => {
      attempt.failure ??= reasonToRepeat(error);
      return storage.failed(error);
    };
    const client = await acquire(attempt.startedMs).catch((error: unknown) => {
      throw noted(error);
    });
    const transaction = beginOn(client, attempt.scopes, noted);
    const release = (): void => {
      open -= 1;
      client.release(transaction.isLost());
    };
    open += 1;
    return {
      ...connection,
      execute: (sql, parameters) => transaction.ask(sql, parameters),
      send: (sql, parameters) => transaction.send(sql, parameters),
      settled: () => transaction.settled(),
      lock: (name) => transaction.send(`SELECT ${ownLock}`, [hashOf(`lock ${name}`)]),
      rollBackTo: (savepoint) => transaction.rollBackTo(savepoint),
      readUpTo: (sql, parameters, maxBytes) => transaction.askUpTo(sql, parameters, maxBytes),
      async commit() {
        await transaction.commit().catch((error: unknown) => {
          throw storage.failed(error);
        });
        storage.succeeded();
        release();
      },
      async rollback() {
        await transaction.rollback();
        release();
      },
    };
  }

  /** Runs a transaction, and runs it again after a failure that is not its own. */
  async function attempted<T>(scopes: readonly Scope[], startedMs: number, work: () => Promise<T>): Promise<T> {
    const enteredMs = monotonicMs();
    for (let repeats = 0; ; repeats += 1) {
      const attempt: Attempt = { scopes, startedMs, failure: undefined };
      try {
        return await attempts.run(attempt, work);
      } catch (error) {
        const { failure } = attempt;
        if (failure === undefined || repeats >= maxRepeats) throw error;
        if (failure === 'connection' && !mayRepeat(enteredMs)) throw error;
        if (error instanceof StorageRefusal && error.isUncertain) throw error;
        meters.repeated(failure);
      }
    }
  }

  const execute = <R>(text: string, values: readonly unknown[]): Promise<QueryResult<R>> =>
    reading.test(text) ? read((client) => run<R>(client, text, values)) : write<R>(text, values);

  const connection: PostgresConnection = {
    execute,
    send: async (sql, parameters) => void (await execute(sql, parameters)),
    settled: () => undefined,
    rollBackTo: outside,
    lock: outside,
    readUpTo: (sql, parameters, maxBytes) => read((client) => runUpTo(client, sql, parameters, maxBytes)),
    canRunNow: () => true,
    async withWriteLock(scopes, work) {
      const startedMs = monotonicMs();
      const leave = await line.enter(scopes);
      const enteredMs = monotonicMs();
      meters.waited((enteredMs - startedMs) / 1000);
      try {
        return await attempted(scopes, startedMs, work);
      } finally {
        leave();
        meters.transaction((monotonicMs() - enteredMs) / 1000);
      }
    },
    isHeld: () => open > 0,
    synced: () => Promise.resolve(),
    persist: () => Promise.resolve(),
    forgetDeleted: () => Promise.resolve(true),
    optimize: () => undefined,
    begin: beginTransaction,
    probe: () => write('SELECT 1', []).then(() => undefined),
  };
  return connection;
}
