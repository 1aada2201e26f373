import type { ColumnCounter, Counter, FigureCounter } from '../sql/counters.ts';
import { about, columnsIn } from './counting-triggers.ts';

/** PostgreSQL's triggers for tables whose rows are updated in batches: each counts an UPDATE as a whole. */
export const statementTriggers = (counters: readonly Counter[]): string =>
  counters.flatMap((counter) => ('inBatches' in counter ? [trigger(counter, statementOf(counter))] : [])).join('\n');

function statementOf(counter: Counter): string {
  if ('groups' in counter) throw new Error(`${counter.what}: groups are counted row by row`);
  return 'figures' in counter ? figureStatement(counter) : columnStatement(counter);
}

function trigger({ of, in: target }: Counter, statement: string): string {
  const name = `counting_${of}_in_${target}_on_update`;
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  ${statement};
  RETURN NULL;
END $$;
CREATE TRIGGER ${name} AFTER UPDATE ON ${of}
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT
  EXECUTE FUNCTION ${name}();`;
}

/** The updated rows twice: with their old values, which leave the numbers (-1), and with the new ones, which enter them (1). */
function bothSides(expressions: readonly string[]): string {
  const columns = columnsIn(expressions).join(', ');
  return `(SELECT 1 AS sign, ${columns} FROM new_rows
      UNION ALL SELECT -1, ${columns} FROM old_rows) AS t`;
}

const groupBy = (keys: object): string =>
  `GROUP BY ${Object.keys(keys)
    .map((_, index) => index + 1)
    .join(', ')}`;

function columnStatement({ what, in: target, by, counts, sums, highest = {} }: ColumnCounter): string {
  if (sums) throw new Error(`${what}: sums are counted row by row`);
  const changing = Object.entries(counts).filter(([, value]) => value !== 'true');
  const counted = [
    ...Object.entries(by).map(([column, value]) => `${about('t', value)} AS by_${column}`),
    ...changing.map(([column, value]) => `coalesce(sum(t.sign) FILTER (WHERE ${about('t', value)}), 0) AS ${column}`),
    ...Object.entries(highest).map(
      ([column, value]) => `max(${about('t', value)}) FILTER (WHERE t.sign = 1) AS ${column}`,
    ),
  ];
  const sets = [
    ...changing.map(([column]) => `${column} = k.${column} + c.${column}`),
    ...Object.keys(highest).map((column) => `${column} = greatest(k.${column}, c.${column})`),
  ];
  const found = Object.keys(by).map((column) => `k.${column} = c.by_${column}`);
  return `UPDATE ${target} AS k SET
    ${sets.join(',\n    ')}
  FROM (
    SELECT ${counted.join(',\n      ')}
    FROM ${bothSides([...Object.values(by), ...Object.values(counts), ...Object.values(highest)])}
    ${groupBy(by)}
  ) AS c
  WHERE ${found.join(' AND ')}
    AND (${changing.map(([column]) => `c.${column} <> 0`).join(' OR ')})`;
}

function figureStatement({ what, in: target, where, keys, figures }: FigureCounter): string {
  const [[figure, value] = ['', ''], ...others] = Object.entries(figures);
  if (others.length > 0) throw new Error(`${what}: several figures are counted row by row`);
  const columns = Object.keys(keys);
  const counted = Object.entries(keys).map(([column, key]) => `${about('t', key)} AS ${column}`);
  const number = `sum(t.sign * ${about('t', value)})`;
  return `WITH changed AS (
    SELECT ${counted.join(', ')}, ${number} AS ${figure}
    FROM ${bothSides([where, ...Object.values(keys), value])}
    WHERE ${about('t', where)} ${groupBy(keys)} HAVING ${number} <> 0
  ), fewer AS (
    UPDATE ${target} AS k SET ${figure} = k.${figure} + c.${figure} FROM changed AS c
    WHERE ${columns.map((column) => `k.${column} = c.${column}`).join(' AND ')} AND c.${figure} < 0
  )
  INSERT INTO ${target} (${[...columns, figure].join(', ')}) SELECT * FROM changed WHERE ${figure} > 0
  ON CONFLICT (${columns.join(', ')}) DO UPDATE SET ${figure} = ${target}.${figure} + excluded.${figure}`;
}
