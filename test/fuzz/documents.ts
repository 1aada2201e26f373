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
 * `npm run test:documents` reads hostile documents at full size, then PARLEY_FUZZ_DOCUMENTS (4,000) damaged files
 * generated from PARLEY_FUZZ_SEED. A child process reads them and must survive all of them within its memory limit.
 */
const memoryMb = 256;
const workers = 2;
const settings = { workers, memory_mb: memoryMb, timeout_ms: 20_000, max_text_chars: 10_000_000 };
/**
 * In MiB. Besides its threads' limits, the process needs about 100 without any document, the bytes it passes to
 * threads, what threads allocate between two memory checks, and what V8 keeps for a while after a thread has ended.
 */
const maxProcessMb = 1024;
/** Size of the largest upload allowed. */
const hostileMb = 250;
const count = Number(process.env['PARLEY_FUZZ_DOCUMENTS'] ?? 4000);
const seed = Number(process.env['PARLEY_FUZZ_SEED'] ?? Math.floor(Math.random() * 1e9));

type Task = { folder: string } | { seed: number; count: number };
type Summary = { peakMb: number; refused: number; read: number };

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
      report(inChild({ folder }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test(`${count} damaged files: PARLEY_FUZZ_SEED=${seed} PARLEY_FUZZ_DOCUMENTS=${count} npm run test:documents`, () => {
    report(inChild({ seed, count }));
  });
}

function report(summary: Summary): void {
  console.log(JSON.stringify(summary));
  assert.ok(summary.peakMb < maxProcessMb, `the process took ${summary.peakMb} MiB`);
}

function inChild(task: Task): Summary {
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, JSON.stringify(task)], {
    encoding: 'utf8',
    env: {},
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Summary;
}

async function perform(task: Task): Promise<Summary> {
  const extractor = createExtractor(settings);
  const summary = { read: 0, refused: 0 };
  const inputs = 'folder' in task ? filesIn(task.folder) : damaged(task);
  const readNext = async (): Promise<void> => {
    for (const input of inputs) {
      try {
        await extractor.extract('acme', input, new AbortController().signal);
        summary.read += 1;
      } catch (error) {
        if (!(error instanceof ExtractionError)) throw error;
        summary.refused += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, readNext));
  await extractor.close();
  return { ...summary, peakMb: peakMb() };
}

/** Peak memory of this process. Outside Linux it includes the parent's memory at the time of the fork. */
function peakMb(): number {
  const path = '/proc/self/status';
  const peak = existsSync(path) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  return Math.round(Number(peak ?? process.resourceUsage().maxRSS) / 1024);
}

/** Yields each file twice, so that two threads read the same one. */
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
