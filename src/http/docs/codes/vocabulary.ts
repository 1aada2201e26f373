/** A closed set of values of one meaning, such as the states of a call, and what each says. */
export type Vocabulary = {
  name: string;
  /** The fields and parameters that have these values. */
  fields: readonly string[];
  meanings: Readonly<Record<string, string>>;
};
