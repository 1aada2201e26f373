import type { Config } from '../base/config/schema.ts';
import { resolve } from 'node:path';
import { roles } from '../kernel/route.ts';
import { requestRunningServer } from '../main/control/client.ts';
import { withStore } from '../main/offline.ts';
import { performTask } from '../main/tasks.ts';
import { UsageError } from './command.ts';
import { configFrom, type Flags } from './settings.ts';

/** Part of the usage line of every command that works on a data directory. */
export const dataUsage = '[--data DIR]';

/** The configuration that a server started with these flags would have. */
export const configOf = (flags: Flags): Config => configFrom(flags).config;

/**
 * Sends a task to the server that runs on the data directory. If none runs, opens the database and performs the task here.
 * @throws an Error with a message for the operator when the task fails or another process has the data directory
 */
export async function administer(flags: Flags, task: string, args: Record<string, unknown>): Promise<unknown> {
  return (await performedBy(flags, task, args)).result;
}

/** Like `administer`, and tells whether a running server performed the task. */
export async function performedBy(
  flags: Flags,
  task: string,
  args: Record<string, unknown>,
): Promise<{ result: unknown; isRunning: boolean }> {
  const config = configOf(flags);
  const request = { task, args };
  const answer = await requestRunningServer(resolve(config.data), request);
  if (answer) return { result: answer.result, isRunning: true };
  return { result: await withStore(config, (context) => performTask(context)(request)), isRunning: false };
}

/** The value of a flag. @throws UsageError when the flag is missing */
export function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (typeof value === 'string') return value;
  throw new UsageError(`--${name} is missing`);
}

/** @throws UsageError when `--role` is missing or not a role */
export function roleOf(flags: Flags): string {
  const role = required(flags, 'role');
  if ((roles as readonly string[]).includes(role)) return role;
  throw new UsageError(`the role must be one of ${roles.join(', ')}, not "${role}"`);
}

/** `--org` as a task argument. */
export const orgOf = (flags: Flags): { org_id?: string } =>
  typeof flags['org'] === 'string' ? { org_id: flags['org'] } : {};
