/**
 * Records a made-up day of a checkout, or of this one, as text:
 *
 *   node test/support/recorded-day.ts FILE [CHECKOUT]
 *
 * Compare two recordings with `diff`. `--accept` keeps the digests of this one for test/long/recorded-day.test.ts.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { digestsOf, recordDay, textOf } from './recorded-day/record.ts';

const { values, positionals } = parseArgs({ options: { accept: { type: 'boolean' } }, allowPositionals: true });
const [file, checkout = join(import.meta.dirname, '../..')] = positionals;
if (file === undefined) throw new Error('name a file for the recording');
const recording = await recordDay(resolve(checkout));
writeFileSync(file, textOf(recording));
if (values.accept === true) {
  const digests = `${JSON.stringify(digestsOf(recording), null, 2)}\n`;
  writeFileSync(join(import.meta.dirname, '../long/recorded-day.json'), digests);
}
