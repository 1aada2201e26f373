/** A command, such as `parley serve`. */
export type Command = {
  name: string;
  /** The arguments, as the help shows them after `parley <name>`. */
  usage: string;
  summary: string;
  /** Resolves with the exit code: 0, or 1 when the command failed. */
  run(args: readonly string[]): Promise<number>;
};

/** Wrong usage: parley prints the message and the command's usage, and exits with code 2. */
export class UsageError extends Error {}
