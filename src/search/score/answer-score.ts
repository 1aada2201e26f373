/**
 * A passage hardly ever covers a whole question. A coverage of 0.18 keeps five of six answers of bench/retrieval/tuning, so the exponent
 * maps it to 0.5, the score below which a caller should assume that there is no answer.
 */
const exponent = Math.log(0.5) / Math.log(0.18);

/** Turns the share of a question that a passage covers into the score that callers see, with four decimals. */
export const answerScore = (coverage: number): number => Math.round(coverage ** exponent * 10_000) / 10_000;
