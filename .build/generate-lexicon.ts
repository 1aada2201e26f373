/**
 * Embeds the word lists of src/search/lexicon/data in a module, because the single executable cannot read files next to its code.
 *
 *   node .build/generate-lexicon.ts [--check] [--from src/search/lexicon/data] [--to src/search/lexicon/data.generated.ts]
 *
 * A list has one entry a line; lines that begin with # are comments. `--check` writes nothing and exits with 1 when the module is out
 * of date.
 */
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { literal, readText, writeModule } from './generated-module.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    from: { type: 'string', default: join(root, 'src/search/lexicon/data') },
    to: { type: 'string', default: join(root, 'src/search/lexicon/data.generated.ts') },
  },
});

const entriesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

function moduleOf(directory: string): string {
  const files = globSync('**/*.txt', { cwd: directory }).map((file) => file.replaceAll('\\', '/'));
  if (files.length === 0) throw new Error(`${directory} has no .txt files`);
  const lists = files
    .toSorted()
    .map(
      (file) =>
        `  '${file.replace(/\.txt$/, '')}': ${literal(entriesOf(readText(join(directory, file))).join('\n'))},\n`,
    );
  return `// Written by .build/generate-lexicon.ts from src/search/lexicon/data; change those files and run \`npm run generate\`.
export const wordLists = {
${lists.join('')}} as const;
`;
}

writeModule(values.to, moduleOf(values.from), { source: values.from, check: values.check });
