import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type LoadedConfig, loadConfig } from '../base/config/load.ts';
import { messageOf } from '../base/errors.ts';
import { UsageError } from './command.ts';

type Option = { type: 'string' | 'boolean'; multiple?: boolean };
export type Flags = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** Flags with a name of their own that are settings, too. */
const settingFlags: Readonly<Record<string, string>> = { data: 'data', host: 'http.host', port: 'http.port' };
const commonOptions: Readonly<Record<string, Option>> = {
  config: { type: 'string' },
  set: { type: 'string', multiple: true },
  data: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
};

/**
 * Reads a command's flags, its own and those of settings.
 * @throws UsageError for a flag that does not exist or lacks its value
 */
export function readFlags(args: readonly string[], own: Readonly<Record<string, Option>> = {}): Flags {
  try {
    const { values } = parseArgs({ args: [...args], options: { ...commonOptions, ...own }, strict: true });
    return values as Flags;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

/** The configuration that flags, environment and file make together. */
export function configFrom(flags: Flags): LoadedConfig {
  const file = typeof flags['config'] === 'string' ? flags['config'] : process.env['PARLEY_CONFIG'];
  const named = Object.entries(settingFlags).flatMap(([flag, path]) => {
    const value = flags[flag];
    return typeof value === 'string' ? [{ path, value, flag: `--${flag}` }] : [];
  });
  return loadConfig({
    argvSettings: [...named, ...((flags['set'] ?? []) as string[]).map(settingOf)],
    env: process.env,
    ...(file === undefined ? {} : { file: { path: file, text: readText(file) } }),
    readFile: readText,
  });
}

function settingOf(text: string): { path: string; value: string } {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set takes PATH=VALUE, not "${text}"`);
  return { path: text.slice(0, at), value: text.slice(at + 1) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
