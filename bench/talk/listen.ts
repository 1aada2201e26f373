import { parseArgs } from 'node:util';
import { corpus } from '../../test/support/listening/corpus.ts';
import { figuresOf, judged } from '../../test/support/listening/judged.ts';
import { quick, report } from '../support/report.ts';

/** `--seed=`: draws the same sounds again; `--half=tune`: those that the constants were tuned on. */
const { values } = parseArgs({
  strict: false,
  options: { seed: { type: 'string', default: '1' }, half: { type: 'string', default: 'judge' } },
});

/** How well sound alone tells persons from mailboxes, on a corpus that espeak-ng speaks, and what listening costs. */
export async function measureListening(): Promise<void> {
  const seed = Number(values.seed);
  const answers = await corpus(seed, values.half === 'tune' ? 'tune' : 'judge', quick ? 20 : 100);
  const before = process.threadCpuUsage();
  const all = answers.map((answer) => judged(answer));
  const { user, system } = process.threadCpuUsage(before);
  const seconds = answers.reduce((sum, { audio }) => sum + audio.length / 8000, 0);
  const figures = figuresOf(all);
  const percent = (share: number): number => share * 100;
  report(
    `Listening: ${answers.length} sounds, ${Math.round(seconds)} s, half "${values.half}", seed ${seed}`,
    [
      {
        what: 'persons taken for machines',
        parley: percent(figures.personsTakenForMachines),
        unit: '%',
        digits: 1,
        target: { atMost: 1 },
      },
      {
        what: 'mailboxes with a beep found',
        parley: percent(figures.machinesFound),
        unit: '%',
        digits: 1,
        target: { atLeast: 98 },
      },
      {
        what: 'verdict after the end of a hello, p95',
        parley: figures.helloP95Ms,
        unit: 'ms',
        target: { atMost: 900 },
      },
      {
        what: 'processor time a second of sound',
        parley: (user + system) / 1000 / seconds,
        unit: 'ms',
        digits: 2,
        target: { atMost: 0.2 },
      },
    ],
    figures.wrong,
  );
}
