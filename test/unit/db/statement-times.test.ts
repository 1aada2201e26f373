import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStatementTimes, statementName } from '../../../src/db/statement-times.ts';

test('a statement is named by what it does and its first table', () => {
  for (const [sql, name] of [
    ['select "id" from "contacts" where "id" = ?', 'select contacts'],
    ['\n  INSERT INTO call_counts VALUES (?)', 'insert call_counts'],
    ['update "calls" set "state" = ?', 'update calls'],
    ['delete from "outbox" where id IN (SELECT value FROM json_each(?))', 'delete outbox'],
    ['SELECT value FROM json_each(?) AS wanted', 'select'],
    ['SELECT count(*) AS n FROM (SELECT 1 FROM (select "id" from "notices") LIMIT ?)', 'select notices'],
    ['BEGIN IMMEDIATE', 'begin'],
    ['COMMIT', 'commit'],
  ]) {
    assert.equal(statementName(sql!), name);
  }
});

test('times are counted in the bucket that they fit into, and unusual numbers of names share one', () => {
  const times = createStatementTimes();
  const series = times.seriesOf('select 1 from a');
  assert.equal(times.seriesOf('SELECT 2 FROM a'), series);
  for (const ms of [0.2, 1, 7, 300]) times.record(series, ms);
  assert.deepEqual(series.counts, [2, 0, 1, 0, 0, 1]);
  for (let n = 0; n < 1000; n += 1) times.seriesOf(`select 1 from t${n}`);
  const names = times.metrics()[0]!.samples.filter(({ suffix }) => suffix === '_count');
  assert.equal(names.length, 401);
});
