/** What speaks for a passage, whatever the size of the base. */
export type Evidence = {
  /** Share of the question that it has, by weight (rank.ts), raised by what vectors say; and the share in the question's very words. */
  covered: number;
  exact: number;
  /** How far it has the word of the question's subject that it has least of. */
  weakest: number;
  /** How much the question asks for, as the logarithm of so many words that one passage has. */
  amount: number;
};

/** Fitted on bench/retrieval/tuning by `npm run bench:retrieval:calibrate`, which says how: what an answer changes in the evidence. */
const factors: Evidence = { covered: 12.12, exact: -1.01, weakest: 1.22, amount: 0.73 };
/** Of those with an answer five in six have 0.5 or more. */
const constant = -3.06;

/** How sure it is, from 0 to 1, that the answer to a question is in its bases, by the evidence for the best passage. */
export function confidenceOf(evidence: Evidence): number {
  const names = Object.keys(factors) as Array<keyof Evidence>;
  const logOdds = names.reduce((sum, name) => sum + factors[name] * evidence[name], constant);
  return 1 / (1 + Math.exp(-logOdds));
}
