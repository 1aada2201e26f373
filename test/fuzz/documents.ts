import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExtractionError } from '../../src/extraction/errors.ts';
import type { ExtractInput } from '../../src/extraction/model.ts';
import type { LazyInput } from '../../src/features/knowledge/reading/extractor.ts';
import { createExtractor } from '../../src/features/knowledge/reading/pool.ts';
import { hostileDocuments } from '../support/documents/hostile.ts';
import { mutated } from '../support/documents/mutations.ts';
import { docxOf, pptxOf, wordParagraph, wordTable, xlsxOf } from '../support/documents/office.ts';
import { linesAt, pdfOf } from '../support/documents/pdf.ts';

/**
 * `npm run test:documents`: hostile documents at full size, and files with things wrong with them, as many as
 * PARLEY_FUZZ_DOCUMENTS says (4,000) from a seed (PARLEY_FUZZ_SEED). They are read in a process of their own, which must live
 * through all of them within the memory that it is allowed.
 */
const memoryMb = 256;
const workers = 2;
const settings = { workers, memory_mb: memoryMb, timeout_ms: 20_000, max_text_chars: 10_000_000 };
/**
 * README, "Measured". Beside the memory of its threads a process has a hundred without any document, the bytes that it hands over, what
 * threads take between two looks at them, and what V8 keeps for a while of those that ended.
 */
const allowedMb = 1024;
/** No file is larger than may be uploaded. */
const hostileMb = 250;
const count = Number(process.env['PARLEY_FUZZ_DOCUMENTS'] ?? 4000);
const seed = Number(process.env['PARLEY_FUZZ_SEED'] ?? Math.floor(Math.random() * 1e9));

type Task = { folder: string } | { seed: number; count: number };
type Told = { peakMb: number; refused: number; read: number };

const started = process.argv[2];
if (started === undefined) defineTests();
else console.log(JSON.stringify(await perform(JSON.parse(started) as Task)));

function defineTests(): void {
  test('hostile documents at full size', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-documents-'));
    try {
      for (const [index, make] of hostileDocuments(hostileMb).entries()) {
        const { name, bytes, file = 'a' } = make();
        writeFileSync(join(folder, `${index} ${name.replaceAll('/', '-')} ${file}`), bytes);
      }
      tell(inChild({ folder }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test(`${count} damaged files: PARLEY_FUZZ_SEED=${seed} PARLEY_FUZZ_DOCUMENTS=${count} npm run test:documents`, () => {
    tell(inChild({ seed, count }));
  });
}

function tell(told: Told): void {
  console.log(JSON.stringify(told));
  assert.ok(told.peakMb < allowedMb, `the process took ${told.peakMb} MiB`);
}

function inChild(task: Task): Told {
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    encoding: 'utf8',
    env: {},
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Told;
}

async function perform(task: Task): Promise<Told> {
  const extractor = createExtractor(settings);
  const told = { read: 0, refused: 0 };
  const inputs = 'folder' in task ? filesIn(task.folder) : damaged(task);
  const readInTurn = async (): Promise<void> => {
    for (const input of inputs) {
      try {
        await extractor.extract(input, new AbortController().signal);
        told.read += 1;
      } catch (error) {
        if (!(error instanceof ExtractionError)) throw error;
        told.refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, readInTurn));
  await extractor.close();
  return { ...told, peakMb: peakMb() };
}

/** Where Linux does not say it: of this process and, while it was made, of the one that started it. */
function peakMb(): number {
  const path = '/proc/self/status';
  const peak = existsSync(path) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  return Math.round(Number(peak ?? process.resourceUsage().maxRSS) / 1024);
}

/** Each twice, so that two threads are at the same. */
function* filesIn(folder: string): Generator<LazyInput> {
  for (const name of readdirSync(folder).flatMap((file) => [file, file])) {
    yield () => Promise.resolve({ bytes: new Uint8Array(readFileSync(join(folder, name))), name });
  }
}

function* damaged(task: { seed: number; count: number }): Generator<ExtractInput> {
  const lines = ['Our guide', 'Send it back within 30 days.', '• unworn', '• with its label'];
  const files = [
    pdfOf([linesAt(700, lines), linesAt(700, lines)], { packed: true, title: 'Guide' }),
    pdfOf([linesAt(700, lines), []]),
    docxOf(wordParagraph('Guide', 'berschrift1') + wordTable([lines, lines])),
    xlsxOf([{ name: 'A', rows: [lines, lines] }]),
    pptxOf([{ title: 'A', points: lines, table: [lines, lines], notes: 'B' }]),
    Buffer.from(`<html><title>A</title><table><tr><td>${lines.join('<td>')}</table><ul><li>${lines.join('<li>')}</ul>`),
  ];
  for (let index = 0; index < task.count; index += 1) {
    yield { bytes: mutated(files[index % files.length]!, task.seed + index) };
  }
}
