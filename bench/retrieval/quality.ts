/**
 * How well questions find their passages, by kind, on the two hand-written sets beside this file.
 *
 *   npm run bench:retrieval [-- --check] [-- --write] [-- --misses]
 *
 * `--check` exits 1 when a kind is more than 3 points worse than baseline.json says; `--write` writes that file anew; `--misses` lists
 * the tuning questions whose passage is not among the first five.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, type Table, tableOf } from './table.ts';
import { isAnswerable } from './measures.ts';
import { openShelf, type Part, parts, questionsOf } from './set.ts';

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true, default: [...parts] },
  },
});

const baselineFile = join(import.meta.dirname, 'baseline.json');
const tables: Record<string, Table> = {};
for (const part of values.part as Part[]) {
  const shelf = await openShelf(part);
  const answers = [];
  for (const question of questionsOf(part)) answers.push(await shelf.answer(question));
  await shelf.library.close();
  tables[part] = tableOf(answers);
  console.log(`\n${part}`);
  console.table(tables[part]);
  if (!values.misses || part !== 'tuning') continue;
  for (const { question, hits, score } of answers) {
    if (isAnswerable(question) && !hits.slice(0, 5).includes(true))
      console.log('miss', score, question.kind, question.ask);
    if (!isAnswerable(question) && score > 0.5) console.log('sure', score, question.ask);
    if (isAnswerable(question) && score < 0.5) console.log('unsure', score, question.kind, question.ask);
  }
}

if (values.write) writeFileSync(baselineFile, `${JSON.stringify(tables, null, 2)}\n`);
if (values.check) {
  const baseline = existsSync(baselineFile)
    ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, Table>)
    : {};
  const faults = Object.entries(tables).flatMap(([part, table]) =>
    compare(baseline[part] ?? {}, table).map((fault) => `${part}: ${fault}`),
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
