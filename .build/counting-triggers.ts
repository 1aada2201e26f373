import type { ColumnCounter, Counter, FigureCounter, GroupCounter } from '../sql/counters.ts';
import { literal } from './generated-module.ts';

type Row = 'new' | 'old' | 't';

/** SQLite's triggers that keep the numbers. */
export const countingTriggers = (counters: readonly Counter[]): string => counters.flatMap(triggersOf).join('');

/** Those that count row by row on PostgreSQL too; .build/statement-triggers.ts writes the others. */
export const triggersByRow = (counters: readonly Counter[]): string =>
  counters
    .flatMap((counter) =>
      triggersOf(counter).filter((text) => !('inBatches' in counter && text.includes(' AFTER UPDATE '))),
    )
    .join('');

function triggersOf(counter: Counter): string[] {
  if ('figures' in counter) return figureTriggers(counter);
  return 'groups' in counter ? groupTriggers(counter) : columnTriggers(counter);
}

const writtenBy =
  '// Written by .build/generate-sql.ts from sql/counters.ts; change that file and run `npm run generate`.\n';

/** The TypeScript module with SQLite's triggers that keep the numbers, and with the queries that count again. */
export const countersModule = (counters: readonly Counter[]): string =>
  `${writtenBy}
export const countingTriggers = ${literal(`\n${countingTriggers(counters)}`)};

${recounts(counters, (query) => query)}`;

/** The TypeScript module with the queries of another database that count again. */
export const recountsModule = (counters: readonly Counter[], translated: (query: string) => string): string =>
  `${writtenBy}\n${recounts(counters, translated)}`;

function recounts(counters: readonly Counter[], translated: (query: string) => string): string {
  const entries = counters.map((counter) => {
    const query =
      'figures' in counter
        ? figureRecount(counter)
        : 'groups' in counter
          ? groupRecount(counter)
          : columnRecount(counter);
    return `  { what: '${counter.what}', query: ${literal(translated(query))} },\n`;
  });
  return `/** Each query yields a row where a kept number differs from the rows that it counts. */
export const recounts: ReadonlyArray<{ what: string; query: string }> = [
${entries.join('')}];
`;
}

export const about = (row: Row, expression: string): string => expression.replaceAll(/\brow\./g, `${row}.`);

/** The columns that expressions name: `["row.status = 'busy'"]` → `['status']`. */
export const columnsIn = (expressions: readonly string[]): string[] =>
  [
    ...new Set(expressions.flatMap((text) => [...text.matchAll(/\brow\.(\w+)/g)].map(([, column]) => column!))),
  ].toSorted();

function trigger({ of, in: target }: Counter, on: string, event: string, when: string, statement: string): string {
  const condition = when === '' ? '' : `\nWHEN ${when}`;
  return `CREATE TRIGGER counting_${of}_in_${target}_on_${on} AFTER ${event} ON ${of}${condition}
BEGIN
  ${statement};
END;
`;
}

const inParentheses = (text: string): string => (/^[\w.]+$/.test(text) ? text : `(${text})`);

function columnTriggers(counter: ColumnCounter): string[] {
  const { in: target, by, counts, sums = {}, highest = {} } = counter;
  const values = Object.entries({ ...counts, ...sums });
  const isAlways = values.some(([, value]) => value === 'true');
  const found = (row: Row): string =>
    Object.entries(by)
      .map(([column, value]) => `${column} = ${about(row, value)}`)
      .join(' AND ');
  const update = (row: Row, sets: readonly string[]): string =>
    `UPDATE ${target} SET\n    ${sets.join(',\n    ')}\n  WHERE ${found(row)}`;
  const adding = (row: Row, sign: '+' | '-'): string[] =>
    values.map(
      ([column, value]) => `${column} = ${column} ${sign} ${value === 'true' ? '1' : inParentheses(about(row, value))}`,
    );
  const anyOf = (row: Row): string =>
    isAlways ? '' : values.map(([, value]) => inParentheses(about(row, value))).join(' OR ');
  const changing = values.filter(([, value]) => value !== 'true');
  const columns = columnsIn(changing.map(([, value]) => value));
  const made = [
    trigger(counter, 'insert', 'INSERT', anyOf('new'), update('new', adding('new', '+'))),
    trigger(counter, 'delete', 'DELETE', anyOf('old'), update('old', adding('old', '-'))),
  ];
  if (columns.length === 0) return made;
  const differ = changing.map(
    ([, value]) => `${inParentheses(about('new', value))} <> ${inParentheses(about('old', value))}`,
  );
  const sets = [
    ...changing.map(
      ([column, value]) =>
        `${column} = ${column} + ${inParentheses(about('new', value))} - ${inParentheses(about('old', value))}`,
    ),
    ...Object.entries(highest).map(([column, value]) => {
      const given = about('new', value); // max() of SQLite answers NULL where one of its values is
      return `${column} = max(coalesce(${given}, ${column}), coalesce(${column}, ${given}))`;
    }),
  ];
  return [
    ...made,
    trigger(counter, 'update', `UPDATE OF ${columns.join(', ')}`, differ.join('\n  OR '), update('new', sets)),
  ];
}

/** All combinations of a counter's groups: `{a: 'x', b: ['y', 'z']}` → `[['x', 'y'], ['x', 'z']]`. */
const keysOf = ({ groups }: GroupCounter): string[][] =>
  Object.values(groups).reduce<string[][]>(
    (keys, values) => keys.flatMap((key) => [values].flat().map((value) => [...key, value])),
    [[]],
  );

function groupTriggers(counter: GroupCounter): string[] {
  const { in: target, where, groups, number } = counter;
  const keys = keysOf(counter);
  const columns = Object.keys(groups);
  const nullable = new Set(
    Object.values(groups)
      .filter((group) => typeof group !== 'string')
      .flat(),
  );
  nullable.delete("''");
  const rows = keys.map((key) => {
    const conditions = key.filter((value) => nullable.has(value)).map((value) => `${about('new', value)} IS NOT NULL`);
    return `SELECT ${key.map((value) => about('new', value)).join(', ')}, 1 WHERE ${conditions.join(' AND ') || 'true'}`;
  });
  const enter = `INSERT INTO ${target} (${columns.join(', ')}, ${number})
  ${rows.join('\n  UNION ALL ')}
  ON CONFLICT DO UPDATE SET ${number} = ${number} + 1`;
  const isIn = Object.entries(groups).map(([column, values]) =>
    typeof values === 'string'
      ? `${column} = ${about('old', values)}`
      : `${column} IN (${values.map((value) => about('old', value)).join(', ')})`,
  );
  const leave = `UPDATE ${target} SET ${number} = ${number} - 1\n  WHERE ${isIn.join(' AND ')}`;
  const read = columnsIn([where, ...keys.flat()]);
  const isChanged = read.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  const event = `UPDATE OF ${read.join(', ')}`;
  return [
    trigger(counter, 'insert', 'INSERT', about('new', where), enter),
    trigger(counter, 'delete', 'DELETE', about('old', where), leave),
    trigger(counter, 'leave', event, `${about('old', where)}\n  AND (${isChanged})`, leave),
    trigger(counter, 'enter', event, `${about('new', where)}\n  AND (${isChanged})`, enter),
  ];
}

function figureTriggers(counter: FigureCounter): string[] {
  const { in: target, where, keys, figures } = counter;
  const [columns, values] = [Object.keys(figures), Object.values(figures)];
  const keyColumns = Object.keys(keys);
  const enter = `INSERT INTO ${target} (${[...keyColumns, ...columns].join(', ')}) VALUES (
    ${[...Object.values(keys), ...values].map((value) => about('new', value)).join(',\n    ')})
  ON CONFLICT DO UPDATE SET
    ${columns.map((column) => `${column} = ${column} + excluded.${column}`).join(',\n    ')}`;
  const changing = Object.entries(figures);
  const found = Object.entries(keys).map(([column, value]) => `${column} = ${about('old', value)}`);
  const leave = `UPDATE ${target} SET
    ${changing.map(([column, value]) => `${column} = ${column} - ${about('old', value)}`).join(',\n    ')}
  WHERE ${found.join(' AND ')}`;
  const read = columnsIn([where, ...Object.values(keys), ...values]);
  const isChanged = read.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  const event = `UPDATE OF ${read.join(', ')}`;
  return [
    trigger(counter, 'insert', 'INSERT', about('new', where), enter),
    trigger(counter, 'leave', event, `${about('old', where)}\n  AND (${isChanged})`, leave),
    trigger(counter, 'enter', event, `${about('new', where)}\n  AND (${isChanged})`, enter),
  ];
}

function figureRecount({ of, in: target, where, keys, figures }: FigureCounter): string {
  const positions = Object.keys(keys).map((_, index) => index + 1);
  const counted = [
    ...Object.entries(keys).map(([column, value]) => `${about('t', value)} AS ${column}`),
    ...Object.entries(figures).map(([column, value]) => `sum(0 + ${about('t', value)}) AS ${column}`),
  ];
  const same = Object.keys(keys).map((column) => `k.${column} = c.${column}`);
  // Sums of fractions depend on the order of adding.
  const fewer = Object.keys(figures).map((column) => `coalesce(k.${column}, 0) < c.${column} - 0.001`);
  return `SELECT 1 FROM (SELECT ${counted.join(',\n        ')}
      FROM ${of} t WHERE ${about('t', where)} GROUP BY ${positions.join(', ')}) c
    LEFT JOIN ${target} k ON ${same.join(' AND ')}
    WHERE ${fewer.join(' OR ')}`;
}

function columnRecount({ of, in: target, by, counts, sums = {} }: ColumnCounter): string {
  const keys = Object.keys(by);
  const numbers = [...Object.keys(counts), ...Object.keys(sums)];
  const counted = [
    ...Object.entries(by).map(([column, value]) => `${about('t', value)} AS by_${column}`),
    ...Object.entries(counts).map(([column, value]) => `count(*) FILTER (WHERE ${about('t', value)}) AS ${column}`),
    ...Object.entries(sums).map(([column, value]) => `sum(${about('t', value)}) AS ${column}`),
  ];
  return `SELECT 1 FROM ${target} k
    LEFT JOIN (SELECT ${counted.join(', ')}
      FROM ${of} t GROUP BY ${keys.map((_, index) => index + 1).join(', ')}) c
    ON ${keys.map((column) => `c.by_${column} = k.${column}`).join(' AND ')}
    WHERE ${numbers.map((column) => `k.${column} <> coalesce(c.${column}, 0)`).join(' OR ')}`;
}

function groupRecount(counter: GroupCounter): string {
  const { of, in: target, where, groups, number } = counter;
  const columns = Object.keys(groups).join(', ');
  const positions = Object.keys(groups)
    .map((_, index) => index + 1)
    .join(', ');
  const counted = keysOf(counter).map((key) => {
    const conditions = [where, ...key.filter((value) => value !== "''").map((value) => `${value} IS NOT NULL`)];
    return `SELECT ${key.map((value, index) => `${about('t', value)} AS ${Object.keys(groups)[index]}`).join(', ')}, count(*) AS counted, 0 AS kept
      FROM ${of} t WHERE ${about('t', conditions.join(' AND '))} GROUP BY ${positions}`;
  });
  return `SELECT 1 FROM (
      ${counted.join('\n      UNION ALL ')}
      UNION ALL SELECT ${columns}, 0, ${number} FROM ${target}) AS numbers
    GROUP BY ${columns} HAVING sum(counted) <> sum(kept)`;
}
