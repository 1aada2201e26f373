import { stringify } from 'yaml';
import type { Origin } from './faults.ts';
import type { LoadedConfig } from './load.ts';
import { valueAt } from './settings.ts';
import type { Setting } from './settings.ts';
import { MASK } from './words.ts';

/**
 * For `parley config print`: one line a setting, `path = value   # origin`, in the order of the example file. Values are
 * YAML on one line, so what is printed can be given back with --set; a secret that is set is `********`.
 */
export function renderConfig({ config, origins, settings }: LoadedConfig): string {
  const lines = [...settings.values()].map((setting) => {
    const value = valueAt(config, setting.path);
    return `${setting.path} = ${valueText(setting, value)}   # ${originText(origins.get(setting.path))}\n`;
  });
  return lines.join('');
}

const FLOW = { collectionStyle: 'flow', lineWidth: 0, blockQuote: false, aliasDuplicateObjects: false } as const;

function valueText({ secret }: Setting, value: unknown): string {
  if (secret && value !== null) return MASK;
  const short = stringify(value, FLOW).replace(/\n$/, '');
  if (!short.includes('\n')) return short;
  // Text with line breaks stays on its line only in double quotes that may be long.
  const quoted = { ...FLOW, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;
  return stringify(value, { ...quoted, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }).replace(/\n$/, '');
}

/** `default`, `config.yaml:12`, `env PARLEY_HTTP_PORT` or `flag --port`. */
function originText(origin: Origin = { kind: 'default' }): string {
  if (origin.kind === 'file') return `${origin.path}:${origin.line}`;
  return origin.kind === 'default' ? 'default' : `${origin.kind} ${origin.name}`;
}
