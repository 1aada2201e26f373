import { createHearing } from '../../../src/talking/listening/hearing.ts';
import { createJudge, type Verdict, type VerdictTimes } from '../../../src/talking/listening/verdict.ts';
import type { Answer } from './corpus.ts';

/** The defaults of `sip.amd`. */
export const defaultTimes: VerdictTimes = {
  initialSilenceMs: 2500,
  greetingMs: 2500,
  machineMs: 6000,
  afterGreetingSilenceMs: 700,
};

export type Judged = Answer & { verdicts: Array<Verdict & { atMs: number }>; last: Verdict | undefined };

/** What is thought of an answer, as the agent that does not speak would. */
export function judged(answer: Answer, times: VerdictTimes = defaultTimes): Judged {
  const judge = createJudge(times);
  const verdicts: Judged['verdicts'] = [];
  let atMs = 0;
  const hearing = createHearing(answer.codec, (heard) => {
    atMs += 20;
    const verdict = judge.take(atMs, heard);
    if (verdict) verdicts.push({ ...verdict, atMs });
  });
  for (let at = 0; at < answer.audio.length; at += 160) hearing.hear(answer.audio.subarray(at, at + 160));
  hearing.close();
  return { ...answer, verdicts, last: judge.verdict() };
}

const share = (of: number, all: number): number => (all === 0 ? 0 : of / all);

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

export type Figures = {
  /** Of hellos and firms' greetings. */
  personsTakenForMachines: number;
  machinesFound: number;
  helloP95Ms: number;
  wrong: string[];
};

export function figuresOf(answers: readonly Judged[]): Figures {
  const of = (...kinds: string[]): Judged[] => answers.filter(({ kind }) => kinds.includes(kind));
  const persons = of('hello', 'greeting');
  const mistaken = persons.filter(({ last }) => last?.who === 'machine');
  const missed = of('mailbox').filter(({ last }) => last?.who !== 'machine');
  const say = ({ name, verdicts }: Judged): string =>
    `${name}: ${verdicts.map(({ who, why, atMs }) => `${who} (${why}) at ${atMs}`).join(', then ') || 'no verdict'}`;
  return {
    personsTakenForMachines: share(mistaken.length, persons.length),
    machinesFound: 1 - share(missed.length, of('mailbox').length),
    helloP95Ms: quantile(
      of('hello').map(({ verdicts, endMs }) => (verdicts[0]?.atMs ?? Number.POSITIVE_INFINITY) - endMs),
      0.95,
    ),
    wrong: [...mistaken, ...missed].map(say),
  };
}
