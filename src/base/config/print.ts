import { stringify } from 'yaml';
import { MASK, withoutPassword } from '../redact.ts';
import type { Origin } from './faults.ts';
import type { LoadedConfig } from './load.ts';
import { valueAt } from './settings.ts';
import type { Setting } from './settings.ts';

/**
 * The output of `parley config print`: one line per setting, `path = value   # origin`, in the order of the example file. Values are
 * one line of YAML, so that they can be passed to --set. A secret that is set prints as `********`.
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
  const shown = typeof value === 'string' ? withoutPassword(value) : value;
  const short = stringify(shown, FLOW).replace(/\n$/, '');
  if (!short.includes('\n')) return short;
  // Only double quotes of unlimited width keep text with line breaks on one line.
  const quoted = { ...FLOW, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;
  return stringify(shown, { ...quoted, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }).replace(/\n$/, '');
}

/** `default`, `config.yaml:12`, `env PARLEY_HTTP_PORT` or `flag --port`. */
function originText(origin: Origin = { kind: 'default' }): string {
  if (origin.kind === 'file') return `${origin.path}:${origin.line}`;
  return origin.kind === 'default' ? 'default' : `${origin.kind} ${origin.name}`;
}
