/**
 * A passage hardly ever gets all that a question could get. A share of 0.2 is shown as 0.5, the score below which a caller should assume
 * that there is no answer; docs/knowledge.md says what that keeps and refuses.
 */
const exponent = Math.log(0.5) / Math.log(0.2);

/** Turns a passage's share of the most that a question could get into the score that callers see, with four decimals. */
export const answerScore = (share: number): number => Math.round(Math.min(1, share) ** exponent * 10_000) / 10_000;
