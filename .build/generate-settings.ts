/**
 * Writes docs/settings.md from the schema of the settings.
 *
 *   node .build/generate-settings.ts [--check] [--to docs/settings.md]
 *
 * `--check` writes nothing and exits 1 when the page differs from what the schema yields.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Setting, type Shape, variableOf } from '../src/base/config/settings.ts';
import { describeShape } from '../src/base/config/words.ts';
import { SETTINGS } from '../src/main/configuration.ts';

const root = resolve(import.meta.dirname, '..');

const introduction = `# Settings

<!-- Written by .build/generate-settings.ts from the schema; change the schema and run \`npm run generate\`. -->

Every setting has a default. There are four ways to set it; the first that applies wins:

1. a flag: \`--set http.port=80\` (\`serve\` also has \`--host\`, \`--port\` and \`--data\`);
2. an environment variable: \`PARLEY_HTTP_PORT=80\`, or \`PARLEY_HTTP_PORT_FILE=/run/secrets/port\` with the name of a file that holds
   the value;
3. the YAML file that \`--config FILE\` names; [config.example.yaml](../config.example.yaml) shows every setting;
4. the default.

Flags and variables are read as YAML: \`--set 'outbound.allow_networks=["10.0.0.0/8"]'\`. An unknown setting or a wrong value stops the
start with exit code 78 and a message that names the setting and its line. \`parley config print\` shows each value and where it comes
from; secrets are masked.
`;

const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

const cell = (text: string): string => text.replaceAll(/[|<]/g, String.raw`\$&`);
const code = (text: string): string => `\`${text}\``;
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The default as code. A list that is not empty is too long for the table, so the text refers to the example file. */
function defaultText({ shape }: Setting): string {
  const isLong = Array.isArray(shape.default) && shape.default.length > 0;
  return isLong ? 'see [config.example.yaml](../config.example.yaml)' : code(JSON.stringify(shape.default));
}

/** Whether the allowed values must be described. Not for a choice, whose description names them, and not for text without a format. */
const hasRules = ({ type, format, anyOf = [], enum: choices }: Shape): boolean =>
  choices === undefined &&
  (anyOf.some(hasRules) || format !== undefined || !['string', 'boolean', 'null', undefined].includes(type));

function meaning({ description = '', ...shape }: Shape): string {
  return cell(hasRules(shape) ? `${description} ${sentence(describeShape(shape))}` : description);
}

const settingRow = (setting: Setting): string[] => [
  code(setting.path),
  defaultText(setting),
  meaning(setting.shape) + (setting.secret ? ' Secret.' : ''),
  code(variableOf(setting.path)),
];

/** The fields of a list's entries, and of the entries of lists in them. */
function entryTables(path: string, { items }: Shape): string {
  if (items?.properties === undefined) return '';
  const required = new Set(items.required);
  const fields = Object.entries(items.properties);
  const rows = fields.map(([name, field]) => [
    code(name),
    required.has(name) && field.default === undefined ? 'yes' : 'no',
    meaning(field),
  ]);
  const inner = fields.map(([name, field]) => entryTables(`${path}[].${name}`, field));
  return `\nEach entry of \`${path}\` has:\n\n${table(['Field', 'Required', 'Meaning'], rows)}${inner.join('')}`;
}

function page(): string {
  const sections = Map.groupBy(SETTINGS.values(), ({ path }) => path.split('.')[0]!);
  const parts = [...sections].map(([name, settings]) => {
    const rows = table(['Setting', 'Default', 'Meaning', 'Variable'], settings.map(settingRow));
    return `\n## ${name}\n\n${rows}${settings.map(({ path, shape }) => entryTables(path, shape)).join('')}`;
  });
  return introduction + parts.join('');
}

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    to: { type: 'string', default: join(root, 'docs/settings.md') },
  },
});

const wanted = page();
const present = existsSync(values.to) ? readFileSync(values.to, 'utf8').replaceAll('\r\n', '\n') : undefined;
if (present === wanted) {
  console.log(`${values.to} is up to date`);
} else if (values.check) {
  console.error(`${values.to} differs from the schema of the settings: run \`npm run generate\` and commit the result`);
  process.exitCode = 1;
} else {
  mkdirSync(dirname(values.to), { recursive: true });
  writeFileSync(values.to, wanted);
  console.log(`wrote ${values.to}`);
}
