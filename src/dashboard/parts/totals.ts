/** Counts of calls, as analytics and the live topic of today have them. */
export type Totals = {
  calls: number;
  answered: number;
  voicemail: number;
  no_answer: number;
  busy: number;
  failed: number;
  goals_met: number;
  goals_judged: number;
  talk_sec: number;
  cost: number;
};

export const noTotals: Totals = {
  calls: 0,
  answered: 0,
  voicemail: 0,
  no_answer: 0,
  busy: 0,
  failed: 0,
  goals_met: 0,
  goals_judged: 0,
  talk_sec: 0,
  cost: 0,
};

/** A share, or null where there is nothing to share. */
const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const answerRate = ({ answered, calls }: Totals): number | null => share(answered, calls);
export const goalRate = ({ goals_met: met, goals_judged: judged }: Totals): number | null => share(met, judged);
export const costOfGoal = ({ cost, goals_met: met }: Totals): number | null => share(cost, met);

/** In the order of every picture of outcomes; who reached the goal is no longer merely answered. */
export const outcomeValues = (totals: Totals): number[] => [
  totals.goals_met,
  Math.max(0, totals.answered - totals.goals_met),
  totals.voicemail,
  totals.no_answer,
  totals.busy,
  totals.failed,
];

/** Counts of several spans together. */
export const sumOf = (all: readonly Totals[]): Totals =>
  all.reduce(
    (sum, each) =>
      Object.fromEntries(
        (Object.keys(noTotals) as Array<keyof Totals>).map((name) => [name, sum[name] + each[name]]),
      ) as Totals,
    noTotals,
  );
