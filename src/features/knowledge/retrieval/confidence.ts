/** What the words of a passage say for it, whatever the size of the base. */
export type Evidence = {
  /** Share of the question that it has, by weight (rank.ts), and how much of that in the question's very words. */
  covered: number;
  exact: number;
  /** How far it has the word of the question's subject that it has least of. */
  weakest: number;
  /** How much the question asks for, as the logarithm of so many words that one passage has. */
  amount: number;
};
