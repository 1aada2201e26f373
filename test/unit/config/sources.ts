import { ConfigError } from '../../../src/base/config/faults.ts';
import type { ConfigFault } from '../../../src/base/config/faults.ts';
import { loadConfig } from '../../../src/main/configuration.ts';
import type { ConfigSources, LoadedConfig } from '../../../src/base/config/load.ts';

/** Short form of `ConfigSources`: the text of the file, `path=value` pairs of --set, variables, and the files they name. */
export type TestSources = {
  yaml?: string;
  set?: readonly string[];
  flags?: ConfigSources['argvSettings'];
  env?: Record<string, string | undefined>;
  files?: Readonly<Record<string, string>>;
};

export function load({ yaml, set = [], flags = [], env = {}, files = {} }: TestSources = {}): LoadedConfig {
  const pairs = set.map((pair) => {
    const at = pair.indexOf('=');
    return { path: pair.slice(0, at), value: pair.slice(at + 1) };
  });
  return loadConfig({
    argvSettings: [...pairs, ...flags],
    env,
    ...(yaml === undefined ? {} : { file: { path: 'config.yaml', text: yaml } }),
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
      return text;
    },
  });
}

/** The faults of sources that must fail to load. */
export function faultsOf(sources: TestSources): readonly ConfigFault[] {
  try {
    load(sources);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  throw new Error('the configuration loaded, but it should not have');
}

export const messagesOf = (sources: TestSources): string[] => faultsOf(sources).map((fault) => fault.message);

/** The value of a setting by its path. */
export const valueAt = ({ config }: LoadedConfig, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], config);
