import type { Config } from '../base/config/schema.ts';
import { resolve } from 'node:path';
import { roles } from '../kernel/route.ts';
import { askRunning } from '../main/control/client.ts';
import { withStore } from '../main/offline.ts';
import { performTask } from '../main/tasks.ts';
import { UsageError } from './command.ts';
import { configFrom, type Flags } from './settings.ts';

/** What every command that works on a data directory takes, for its usage. */
export const dataUsage = '[--data DIR]';

/** The configuration as the server of that data directory would have it. */
export const configOf = (flags: Flags): Config => configFrom(flags).config;

/** Has a task done by the server that runs on the data directory or, when none does, on the database itself. */
export async function administer(flags: Flags, task: string, args: Record<string, unknown>): Promise<unknown> {
  const config = configOf(flags);
  const request = { task, args };
  const asked = await askRunning(resolve(config.data), request);
  return asked ? asked.result : withStore(config, (context) => performTask(context)(request));
}

/** A flag that must be there. @throws UsageError when it is not */
export function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (typeof value === 'string') return value;
  throw new UsageError(`--${name} is missing`);
}

/** @throws UsageError when `--role` is missing or no role */
export function roleOf(flags: Flags): string {
  const role = required(flags, 'role');
  if ((roles as readonly string[]).includes(role)) return role;
  throw new UsageError(`--role takes one of ${roles.join(', ')}, not "${role}"`);
}

/** `--org` as an argument of a task. */
export const orgOf = (flags: Flags): { org_id?: string } =>
  typeof flags['org'] === 'string' ? { org_id: flags['org'] } : {};
