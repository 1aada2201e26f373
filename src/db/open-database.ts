import type { SharedDeadline } from '../base/shared-deadline.ts';
import type { StatementTimes } from './statement-times.ts';
import type { Storage } from './storage.ts';
import type { Queryable } from './transaction.ts';

/** An open database, whichever it is. */
export type OpenDatabase<Shared = unknown> = {
  db: Queryable;
  /** What is measured of the database's work. */
  times: Pick<StatementTimes, 'metrics'>;
  storage: Storage;
  /** For the background thread, the only other thread that may open the database (background-connection.ts). */
  background: BackgroundAccess<Shared>;
  /** Whether this process may act outside: call, deliver, send. Always, where no other process can work with the database. */
  mayAct: () => boolean;
  /** Until when it may, for other threads; null: always. */
  turnEnds: SharedDeadline | null;
  /** Asks the database where `mayAct` is false. Resolves to whether this process may go on. */
  confirmTurn: () => Promise<boolean>;
  /** The names of the live nodes that have not said that they know this encryption key. */
  nodesWithoutKey: (keyId: string) => Promise<string[]>;
  /** Those that work with the database; absent where it is one process's own. */
  nodes?: Nodes;
  /** Bytes that the database takes; absent where it is a file of the data directory. */
  bytes?: () => Promise<number>;
  /** Writes down what was committed, and closes. */
  close(): void | Promise<void>;
  examine: (scope?: ExaminationScope) => Promise<Examination>;
};

/** A process that works with a database, or stands by to do so. Instants are Unix milliseconds of the database's clock. */
export type LiveNode = {
  id: string;
  /** For people; need not be unique. */
  name: string;
  version: string;
  roles: readonly NodeRole[];
  startedAt: number;
  seenAt: number;
};

/** What the database knows of the nodes that work with it. */
export type Nodes = {
  live: () => Promise<LiveNode[]>;
  /** Those of the last day that were given up and not replaced by one of their name. */
  lost: () => Promise<LiveNode[]>;
  /** The database's clock, in Unix milliseconds. */
  now: () => Promise<number>;
};

export type NodeRole = (typeof nodeRoles)[number];
export const nodeRoles = ['active', 'http', 'jobs', 'telephony', 'standby'] as const;

/** The active node does everything. */
export const rolesWhenActive: readonly NodeRole[] = ['active', 'http', 'jobs', 'telephony'];

/** `Shared` is what the thread needs to open the database. */
export type BackgroundAccess<Shared = unknown> = {
  /** Allows another connection. */
  share(): Promise<Shared>;
  /** Records an error that the thread's work threw. Returns the error to throw here. */
  reportFailure(error: unknown): unknown;
  /** Sets what to do when a commit has left so much that a checkpoint pays. */
  onLargeLog(handler: () => void): void;
  /** Frees what the thread held. Call it after the thread has ended, and before another one starts. */
  releaseAbandoned(): void;
};

export type Examination = {
  /** The faults found; empty when everything that was checked is sound. */
  damage: string[];
  /** A sentence for where there is no damage: what was checked, and what was not. */
  sound: string;
};

/** A rule between rows: its query yields one where the rule is broken. */
export type Check = { query: string; fault: string };

export type ExaminationScope = {
  checks?: readonly Check[];
  /** For a large database: skip `checks`, and read only tables with at most this many rows. */
  maxRows?: number | undefined;
};
