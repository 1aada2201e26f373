/**
 * Measures how well questions find their passages, by kind of question, on the two hand-written sets beside this file.
 *
 *   npm run bench:retrieval [-- --check] [-- --write] [-- --misses] [-- --set tuning]
 *
 * `--check` exits with 1 when a kind is more than 3 points worse than in baseline.json; `--write` writes that file; `--misses` lists
 * the tuning questions whose passage is not among the first five.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Answer, isAnswerable } from './measures.ts';
import { indexSet, questionsOf, type SetName, setNames } from './question-set.ts';
import { findRegressions, type Table, tableOf } from './table.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [...setNames] },
  },
});

function printMisses(answers: readonly Answer[]): void {
  for (const { question, hits, score } of answers) {
    if (isAnswerable(question) && !hits.slice(0, 5).includes(true))
      console.log('not found', score, question.kind, question.ask);
    if (isAnswerable(question) && score < 0.5) console.log('refused', score, question.kind, question.ask);
    if (!isAnswerable(question) && score >= 0.5) console.log('kept without an answer', score, question.ask);
  }
}

const baselineFile = join(import.meta.dirname, 'baseline.json');
const tables: Record<string, Table> = {};
for (const set of values.set as SetName[]) {
  const indexed = await indexSet(set);
  const answers = [];
  for (const question of questionsOf(set)) answers.push(await indexed.answer(question));
  await indexed.library.close();
  tables[set] = tableOf(answers);
  console.log(`\n${set}`);
  console.table(tables[set]);
  if (values.misses && set === 'tuning') printMisses(answers);
}

if (values.write) writeFileSync(baselineFile, `${JSON.stringify(tables, null, 2)}\n`);
if (values.check) {
  const baseline = existsSync(baselineFile)
    ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, Table>)
    : {};
  const regressions = Object.entries(tables).flatMap(([set, table]) =>
    findRegressions(baseline[set] ?? {}, table).map((regression) => `${set}: ${regression}`),
  );
  for (const regression of regressions) console.error(regression);
  if (regressions.length > 0) process.exitCode = 1;
}
