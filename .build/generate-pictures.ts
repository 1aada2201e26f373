/**
 * Draws the pictures of docs/pictures from what the program itself uses: the schedule of retries, calling windows, states of calls,
 * default ports, and the layers. `npm run generate` writes them, `npm run check` compares them.
 *
 *   node .build/generate-pictures.ts [--check]
 */
import { join, resolve } from 'node:path';
import { SETTINGS } from '../src/main/configuration.ts';
import { pictures } from './pictures.ts';
import { readText, writeModule } from './generated-module.ts';

const docs = resolve(import.meta.dirname, '../docs');
const check = process.argv.includes('--check');
const [, layers = ''] = /```\n(Layers\n[^]*?)```/.exec(readText(join(docs, 'architecture.md'))) ?? [];
const port = (path: string): number => SETTINGS.get(path)!.shape.default as number;
const ports = { sip: port('sip.port'), from: port('sip.rtp_port_min'), to: port('sip.rtp_port_max') };
const icon = readText(resolve(docs, '../src/dashboard/styles/icon.svg'));
for (const [name, drawn] of Object.entries({ ...pictures({ ...ports, layers }), 'icon.svg': icon }))
  writeModule(join(docs, 'pictures', name), drawn, { source: 'what it draws', check });
