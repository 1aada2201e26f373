import type { QueryResult } from 'kysely';
import pg from 'pg';
import type { PartialRows } from '../connection.ts';
import { statementName } from '../statement-times.ts';

const asText = (text: string): string => text;
const bytea = 17;

/** SQLite's values: numbers are numbers, conditions are 1 and 0, JSON is text. parley has no number over 2^53. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => (text === 't' ? 1 : 0),
  [bytea]: pg.types.getTypeParser(bytea),
  20: Number,
  21: Number,
  23: Number,
  700: Number,
  701: Number,
  1700: Number,
};

export const valueTypes: pg.CustomTypesConfig = { getTypeParser: (type: number) => parsers[type] ?? asText };

/** Type of a parameter that PostgreSQL chooses from where it stands. */
const unspecified = 0;

/** Numbers and texts say what they are: from `$1 + $2` alone PostgreSQL cannot tell, and it takes `$1 + 1` for 32 bits. */
function typeOf(value: unknown): number {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 20 : 701;
  return typeof value === 'string' ? 25 : unspecified;
}

/** As SQLite does, refuses what is no value of a database: pg would fail while it writes, with a part of the statement sent. */
export function requireValues(values: readonly unknown[]): void {
  for (const value of values) {
    if (value === null || value instanceof Uint8Array || sendable.has(typeof value)) continue;
    throw new TypeError(`a parameter of a statement is of type ${typeof value}`);
  }
}

const sendable: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean', 'undefined']);

/** The application has a few hundred distinct statements, most with one set of types. Others are prepared each time. */
const maxNames = 2000;
const names = new Map<string, string>();

function nameOf(text: string, types: readonly number[]): string | undefined {
  const key = `${types.join()} ${text}`;
  const known = names.get(key);
  if (known !== undefined) return known;
  if (names.size >= maxNames) return undefined;
  const name = `parley_${names.size}`;
  names.set(key, name);
  return name;
}

/** Rows that are read before the limit of bytes is looked at. */
const rowsPerRead = 64;

type Answered = (error: Error | null, result: pg.QueryResult) => void;
type Limit = { maxBytes: number };
type Column = { name: string; parse: (text: string) => unknown };
/** Fields of a query that pg reads when it sends it, but does not declare in its types. */
type Sent = { name?: string; queryMode: 'extended'; rows?: number; types: number[] };

/** States of errors: a named statement is missing, or another session's is there. */
const [noSuchStatement, duplicateStatement] = ['26000', '42P05'];

/** A query that tells the types of its parameters and, with a limit, stops reading once its rows exceed it. */
class Statement extends pg.Query {
  readonly read: Row[] = [];
  isCut = false;
  /** Whether a prepared statement is missing or belongs to another session, as behind a pooler. */
  isMixedUp = false;
  #columns: Column[] = [];
  readonly #limit: Limit | undefined;

  constructor(text: string, values: readonly unknown[], sent: Sent, limit: Limit | undefined, done: Answered) {
    super(text as never, values, done as never); // pg copies the descriptors of an object
    this.#limit = limit;
    Object.assign(this, sent);
  }

  /** In place of pg's own, which makes a template for the rows of each answer: that takes longer than reading the rows of a page. */
  handleRowDescription({ fields }: { fields: Array<{ name: string; dataTypeID: number }> }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parsers[dataTypeID] ?? asText }));
  }

  handleDataRow({ fields }: { fields: Array<string | null> }): void {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < fields.length; at += 1) {
      const [text, { name, parse }] = [fields[at]!, this.#columns[at]!];
      row[name] = text === null ? null : parse(text);
    }
    this.read.push(row);
  }

  /** `pg` ends a statement that reads in portions only where it succeeds. Without this, the next one on its connection has no answer. */
  handleError(error: Error & { code?: string }, connection: pg.Connection): void {
    const { parsedStatements: prepared } = connection as unknown as { parsedStatements: Record<string, string> };
    // Without a pooler a statement is missing only if the one sent before it failed to prepare the same text.
    const isLost = error.code === noSuchStatement && Object.hasOwn(prepared, (this as unknown as Sent).name ?? '');
    this.isMixedUp = isLost || error.code === duplicateStatement;
    if (this.#limit) (connection as unknown as { sync(): void }).sync();
    (pg.Query.prototype as unknown as Statement).handleError.call(this, error, connection);
  }

  handlePortalSuspended(connection: pg.Connection): void {
    if (this.#limit && bytesOf(this.read) > this.#limit.maxBytes) {
      this.isCut = true;
      (connection as unknown as { sync(): void }).sync();
      return;
    }
    (pg.Query.prototype as unknown as Statement).handlePortalSuspended.call(this, connection);
  }
}

type Row = Readonly<Record<string, unknown>>;

function sizeOf(row: Row): number {
  let size = 0;
  for (const value of Object.values(row))
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  return size;
}

const bytesOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + sizeOf(row), 0);

/**
 * Whether statements are sent to an idle client without waiting for the answers to those before. Not while it reads in portions: the
 * server would answer the next statement out of the rows that are left.
 */
export function pipelining(client: pg.ClientBase, isOn: boolean): void {
  (client as { pipeline?: boolean }).pipeline = isOn;
}

export type StatementOptions = { prepares: boolean };

function send(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  { prepares, limit }: StatementOptions & { limit?: Limit },
): Promise<{ rows: Row[]; result: pg.QueryResult; isCut: boolean }> {
  return new Promise((resolve, reject) => {
    requireValues(values);
    const types = values.map(typeOf);
    const name = prepares ? nameOf(text, types) : undefined;
    const sent: Sent = {
      types,
      queryMode: 'extended',
      ...(name !== undefined && { name }),
      ...(limit && { rows: rowsPerRead }),
    };
    const statement = new Statement(text, [...values], sent, limit, (error, result) => {
      if (error) reject(withStatement(error, text, statement.isMixedUp));
      else resolve({ rows: statement.read, result, isCut: statement.isCut });
    });
    client.query(statement);
  });
}

/** A connection that breaks fails all statements under way with one error. */
const described = new WeakSet<Error>();

/** PostgreSQL's messages do not say which statement they are about, nor that a pooler stands in between. */
function withStatement(error: Error, text: string, isMixedUp: boolean): Error {
  if (described.has(error)) return error;
  described.add(error);
  const hint = isMixedUp
    ? '; behind a pooler that does not keep named statements apart, set store.prepared_statements: false'
    : '';
  error.message = `${error.message} (${statementName(text)})${hint}`;
  return error;
}

export async function run<R>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  options: StatementOptions,
): Promise<QueryResult<R>> {
  const { rows: read, result } = await send(client, text, values, options);
  const rows = read as R[];
  return result.command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
}

export async function runUpTo<R>(
  client: pg.ClientBase,
  text: string,
  values: readonly unknown[],
  { maxBytes, ...options }: StatementOptions & Limit,
): Promise<PartialRows<R>> {
  const { rows: read, isCut } = await send(client, text, values, { ...options, limit: { maxBytes } });
  const rows: R[] = [];
  let bytes = 0;
  for (const row of read) {
    bytes += sizeOf(row);
    if (bytes > maxBytes && rows.length > 0) return { rows, isCut: true };
    rows.push(row as R);
  }
  return { rows, isCut };
}

/** Runs several statements without parameters, for which PostgreSQL needs one round trip. Returns the rows of the last one. */
export async function runAll(client: pg.ClientBase, text: string): Promise<Row[]> {
  const results = (await client.query(text)) as unknown as pg.QueryResult | pg.QueryResult[];
  return (Array.isArray(results) ? results.at(-1)! : results).rows as Row[];
}
