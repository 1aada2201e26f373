/** One verb of the command line. */
export type Command = {
  name: string;
  /** After `parley <name>`. */
  usage: string;
  summary: string;
  /** The exit code: 0, 1 failed (contract, section 3). */
  run(args: readonly string[]): Promise<number>;
};

/** The command was called wrongly: exit code 2, with how it should be called. */
export class UsageError extends Error {}
