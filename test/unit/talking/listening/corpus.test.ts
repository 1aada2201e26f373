import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { corpus } from '../../../support/listening/corpus.ts';
import { figuresOf, judged } from '../../../support/listening/judged.ts';

const seed = Number(process.env['PARLEY_LISTENING_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const isSpoken = spawnSync('espeak-ng', ['--version']).status === 0;
const skip = isSpoken ? false : 'espeak-ng is not installed';

/** Few sounds, so the bounds are wider than the figures of `npm run bench:listen`: one sound in each dozen may be taken for another. */
test('voices and texts that nothing was tuned on are told apart by sound alone', { skip }, async () => {
  const answers = (await corpus(seed, 'judge', 12)).map((answer) => judged(answer));
  const figures = figuresOf(answers);
  const place = `PARLEY_LISTENING_SEED=${seed}\n${figures.wrong.join('\n')}`;
  assert.ok(figures.personsTakenForMachines <= 1 / 24, `persons taken for machines: ${place}`);
  assert.ok(figures.machinesFound >= 11 / 12, `machines not found: ${place}`);
  assert.ok(figures.helloP95Ms <= 900, `verdict ${figures.helloP95Ms} ms after a hello: ${place}`);
  for (const { kind, last, name } of answers)
    if (kind === 'silence' || kind === 'noise') assert.equal(last?.who, 'person', `${name}: ${place}`);
});
