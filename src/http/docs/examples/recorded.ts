/** A request that was sent to a server with the demo's data, and its answer: the envelope, or the text of a file. */
export type RecordedExample = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  answer: unknown;
};

/** By operation; written by `.build/record-examples.ts`. */
export type RecordedExamples = Readonly<Record<string, RecordedExample>>;
