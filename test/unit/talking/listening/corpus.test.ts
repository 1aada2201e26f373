import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { corpus } from '../../../support/listening/corpus.ts';
import { figuresOf, judged } from '../../../support/listening/judged.ts';

/** The same sounds at each run, so that a bad draw does not fail somebody else's change; `npm run bench:talk` draws others. */
const seed = Number(process.env['PARLEY_LISTENING_SEED'] ?? 1);
const isSpoken = spawnSync('espeak-ng', ['--version']).status === 0;
const skip = isSpoken ? false : 'espeak-ng is not installed';

/** Few sounds, so the bounds are wider than the figures of `npm run bench:talk -- --part=listen`: one sound in each dozen may be taken for another. */
test(`voices and texts that nothing was tuned on are told apart by sound alone (seed ${seed})`, { skip }, async () => {
  const answers = (await corpus(seed, 'judge', 12)).map((answer) => judged(answer));
  const figures = figuresOf(answers);
  const place = `PARLEY_LISTENING_SEED=${seed}\n${figures.wrong.join('\n')}`;
  assert.ok(figures.personsTakenForMachines <= 1 / 24, `persons taken for machines: ${place}`);
  assert.ok(figures.machinesFound >= 11 / 12, `machines not found: ${place}`);
  assert.ok(figures.helloP95Ms <= 900, `verdict ${figures.helloP95Ms} ms after a hello: ${place}`);
  for (const { kind, last, name } of answers)
    if (kind === 'silence' || kind === 'noise') assert.equal(last?.who, 'person', `${name}: ${place}`);
});
