/**
 * Plays the requests of the reference at a server with the demo's data, and writes its answers into docs/api/examples.generated.json.
 *
 *   node .build/record-examples.ts [--check]
 *
 * Clock and seed of the server stand still, so two runs give the same answers. `--check` writes nothing and exits with 1 if the file is
 * out of date.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordExamples } from './examples/record.ts';
import { formatted, writeModule } from './generated-module.ts';

const path = join(resolve(import.meta.dirname, '..'), 'docs/api/examples.generated.json');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const text = formatted(JSON.stringify(await recordExamples()), path);
writeModule(path, text, { source: 'the answers of the server', check: values.check });
