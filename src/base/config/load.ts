import { fileReason } from '../system-errors.ts';
import { checkValue } from './check.ts';
import { ConfigError, faultAt } from './faults.ts';
import type { ConfigFault, Origin } from './faults.ts';
import { didYouMean } from './hint.ts';
import { readConfigFile, readValue, unknownSetting } from './read.ts';
import type { ParsedSource } from './read.ts';
import type { Config } from './schema.ts';
import { variableOf } from './settings.ts';
import type { Setting, SettingsTable } from './settings.ts';

export type ConfigSources = {
  /** From `--set PATH=VALUE`, and from flags that set one setting: `{path: 'http.port', value: '0', flag: '--port'}`. */
  readonly argvSettings: readonly { readonly path: string; readonly value: string; readonly flag?: string }[];
  /** The environment variables; only names that start with `PARLEY_` matter. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The YAML file; faults and origins call it `path`. */
  readonly file?: { readonly path: string; readonly text: string };
  /** Reads the file that a `PARLEY_…_FILE` variable names. Errors become faults. */
  readonly readFile: (path: string) => string;
};

export type LoadedConfig = {
  /** Deeply frozen. */
  readonly config: Config;
  /** Where each setting's value comes from, by its path. */
  readonly origins: ReadonlyMap<string, Origin>;
  /** Every setting by its path, in the order of the schema. */
  readonly settings: ReadonlyMap<string, Setting>;
};

/**
 * Variables that are not settings: the configuration file's path, and the first start's API key and organization (docs/api/process.md,
 * "First start").
 */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'PARLEY_CONFIG',
  'PARLEY_BOOTSTRAP_API_KEY',
  'PARLEY_BOOTSTRAP_ORG_ID',
]);

/**
 * Loads the configuration: flag > variable > YAML > default. Sources merge setting by setting, so a flag or variable for a whole section
 * changes only the settings it contains. Of two flags the last wins; of two variables the more specific.
 * @throws {ConfigError} with every fault of every source, even in values that another source overrides
 */
export function loadSettings(table: SettingsTable, sources: ConfigSources): LoadedConfig {
  const parsed = [
    ...(sources.file === undefined ? [] : [readConfigFile(table, sources.file)]),
    ...readVariables(table, sources),
    ...readFlags(table, sources),
  ];
  const faults = parsed.flatMap(faultsOf);
  if (faults.length > 0) throw new ConfigError(faults);

  const values = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  for (const [path, { shape }] of table.settings) {
    values.set(path, structuredClone(shape.default));
    origins.set(path, { kind: 'default' });
  }
  for (const { setting, value, origin } of parsed.flatMap(({ values: found }) => found)) {
    values.set(setting.path, value);
    origins.set(setting.path, origin);
  }
  return { config: nest(values), origins, settings: table.settings };
}

/** The faults of one source; those of a file from top to bottom. */
const faultsOf = ({ values, faults }: ParsedSource): ConfigFault[] =>
  [...faults, ...values.flatMap(checkValue)].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));

const onlyFaults = (...faults: ConfigFault[]): ParsedSource => ({ values: [], faults });

function readFlags(table: SettingsTable, { argvSettings }: ConfigSources): ParsedSource[] {
  return argvSettings.map(({ path, value, flag = '--set' }) => {
    const origin: Origin = { kind: 'flag', name: flag };
    return table.paths.includes(path)
      ? readValue(table, path, value, origin)
      : onlyFaults(unknownSetting(table, path, origin));
  });
}

/** Sections first, so that `PARLEY_OUTBOUND_CA_FILE` overrides `PARLEY_OUTBOUND` whatever the order of the environment. */
function readVariables(table: SettingsTable, { env, readFile }: ConfigSources): ParsedSource[] {
  const depth = (name: string): number => (pathOf(table, name) ?? '').split('.').length;
  return Object.keys(env)
    .filter((name) => name.startsWith('PARLEY_') && !OTHER_VARIABLES.has(name))
    .toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [readVariable(table, name, value, { env, readFile })];
    });
}

/** An exact match wins over the `…_FILE` form: `PARLEY_OUTBOUND_CA_FILE` is the setting outbound.ca_file, not a file for `outbound.ca`. */
const pathOf = ({ pathOfVariable }: SettingsTable, name: string): string | undefined =>
  pathOfVariable.get(name) ?? pathOfVariable.get(name.replace(/_FILE$/, ''));

function readVariable(
  table: SettingsTable,
  name: string,
  value: string,
  { env, readFile }: Pick<ConfigSources, 'env' | 'readFile'>,
): ParsedSource {
  const origin: Origin = { kind: 'env', name };
  const path = pathOf(table, name);
  if (path === undefined) return onlyFaults(unknownVariable(table, name, origin));
  if (table.pathOfVariable.has(name)) return readValue(table, path, value, origin);
  const direct = variableOf(path);
  if (env[direct] !== undefined) {
    return onlyFaults(faultAt(origin, path, `${path} is set twice, by ${direct} and by ${name}; remove one of them.`));
  }
  let content: string;
  try {
    content = readFile(value);
  } catch (error) {
    return onlyFaults(
      faultAt(origin, path, `${path} cannot be read from ${value}, which ${name} names: ${fileReason(error)}`),
    );
  }
  return readValue(table, path, content.replace(/\r?\n$/, ''), origin);
}

function unknownVariable({ pathOfVariable }: SettingsTable, name: string, origin: Origin): ConfigFault {
  const hint = didYouMean(name, [...pathOfVariable.keys()]);
  return faultAt(origin, name, `There is no setting for the variable ${name}${hint}`);
}

/** Turns values by path into nested sections, deeply frozen. */
function nest(values: ReadonlyMap<string, unknown>): Config {
  const root: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const names = path.split('.');
    const last = names.pop() ?? path;
    let section = root;
    for (const name of names) section = (section[name] ??= {}) as Record<string, unknown>;
    section[last] = value;
  }
  // Safe: every value was validated, or is a default, and the tests validate those.
  return deepFreeze(root) as Config;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child);
    Object.freeze(value);
  }
  return value;
}
