import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, faultAt } from '../base/config/faults.ts';
import type { LoadedConfig } from '../base/config/load.ts';
import { didYouMean } from '../base/config/hint.ts';
import { fileReason } from '../base/system-errors.ts';
import { loadConfig } from '../main/configuration.ts';
import { messageOf } from '../base/errors.ts';
import { UsageError } from './command.ts';

type Option = { type: 'string' | 'boolean'; multiple?: boolean };
export type Flags = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** Settings that have a flag of their own, besides `--set`. */
const settingFlags: Readonly<Record<string, string>> = { data: 'data', host: 'http.host', port: 'http.port' };
const commonOptions: Readonly<Record<string, Option>> = {
  config: { type: 'string' },
  set: { type: 'string', multiple: true },
  data: { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
};

/**
 * Reads the flags of a command: its own and the common ones.
 * @throws UsageError for an unknown flag or one without its value
 */
export function readFlags(args: readonly string[], own: Readonly<Record<string, Option>> = {}): Flags {
  const options = { ...commonOptions, ...own };
  return asUsageError(options, () => parseArgs({ args: [...args], options, strict: true })).values as Flags;
}

/**
 * Reads the flags of a command and one positional argument for each of `names`.
 * @throws UsageError like `readFlags`, and for a missing or surplus argument
 */
export function readArguments(
  args: readonly string[],
  names: readonly string[],
  own: Readonly<Record<string, Option>> = {},
): { flags: Flags; words: string[] } {
  const options = { ...commonOptions, ...own };
  const parsed = asUsageError(options, () =>
    parseArgs({ args: [...args], options, strict: true, allowPositionals: true }),
  );
  const missing = names.slice(parsed.positionals.length);
  if (missing.length > 0) throw new UsageError(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`);
  const extra = parsed.positionals.slice(names.length);
  if (extra.length > 0) throw new UsageError(`unexpected argument "${extra.join(' ')}"`);
  return { flags: parsed.values as Flags, words: parsed.positionals };
}

function asUsageError<T>(options: Readonly<Record<string, Option>>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(usageFault(error, Object.keys(options)));
  }
}

/** Node's message in one line; that about an unknown flag names the nearest flag instead of explaining how to escape dashes. */
function usageFault(error: unknown, names: readonly string[]): string {
  const message = messageOf(error).split('\n', 1)[0]!;
  const unknown = /^Unknown option '(?<flag>[^']*)'/.exec(message)?.groups?.['flag'];
  if (unknown === undefined) return message;
  const flags = names.map((name) => `--${name}`);
  return `There is no flag ${unknown}${didYouMean(unknown, flags)}`;
}

export type FlagSetting = { path: string; value: string; flag?: string };

/** Settings that a command makes itself. Flags override `presets` and cannot override `fixed`; both override environment and file. */
export type CommandSettings = { presets?: readonly FlagSetting[]; fixed?: readonly FlagSetting[] };

/** The configuration from flags, environment and file together. */
export function configFrom(flags: Flags, { presets = [], fixed = [] }: CommandSettings = {}): LoadedConfig {
  const file = typeof flags['config'] === 'string' ? flags['config'] : process.env['PARLEY_CONFIG'];
  const named = Object.entries(settingFlags).flatMap(([flag, path]) => {
    const value = flags[flag];
    return typeof value === 'string' ? [{ path, value, flag: `--${flag}` }] : [];
  });
  const set = ((flags['set'] ?? []) as string[]).map(settingOf);
  return requireNodes(
    loadConfig({
      argvSettings: [...presets, ...named, ...set, ...fixed],
      env: process.env,
      ...(file === undefined ? {} : { file: { path: file, text: readConfigFile(file) } }),
      readFile: (path) => readFileSync(path, 'utf8'),
    }),
  );
}

/** @throws ConfigError when the settings of nodes cannot be used */
function requireNodes(loaded: LoadedConfig): LoadedConfig {
  const { config, origins } = loaded;
  const origin = origins.get('nodes.mode')!;
  const refuse = (message: string): never => {
    throw new ConfigError([faultAt(origin, 'nodes.mode', message)]);
  };
  if (config.nodes.mode === 'equal')
    refuse('nodes.mode equal is not built yet: with standby, one node is active and any number stand by.');
  if (origin.kind !== 'default' && config.store.url === null)
    refuse('nodes.mode needs store.url: only nodes on one PostgreSQL database know of one another.');
  return loaded;
}

function settingOf(text: string): FlagSetting {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--set must be PATH=VALUE, not "${text}"`);
  return { path: text.slice(0, at), value: text.slice(at + 1) };
}

function readConfigFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const message = `The file ${path} cannot be read: ${fileReason(error)}`;
    throw new ConfigError([faultAt({ kind: 'flag', name: '--config' }, '', message)]);
  }
}
