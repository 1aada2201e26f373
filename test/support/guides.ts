import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { scratch } from '../cli/support.ts';

const docs = resolve(import.meta.dirname, '../../docs');

/** A fenced block of a page, with the heading above it. */
export type Block = { language: string; code: string; heading: string };

/** The fenced blocks of a page of docs/, in their order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(docs, page), 'utf8');
  const parts = text.matchAll(
    /^#+ (?<heading>[^\n]+)$|^(?<indent> *)```(?<language>\w*)[^\n]*\n(?<code>.*?)^ *```$/gms,
  );
  const blocks: Block[] = [];
  let heading = '';
  for (const { groups } of parts) {
    const { heading: title, indent = '', language = '', code } = groups as Record<string, string | undefined>;
    if (code === undefined) heading = title!;
    else blocks.push({ language, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), heading });
  }
  return blocks;
}

/** The functions `api` and `id` that the first tutorial defines and other pages use. */
export const apiFunctions = (): string =>
  blocksOf('tutorials/first-campaign.md')
    .flatMap(({ code }) => code.split('\n'))
    .filter((line) => /^(?:api|id)\(\)/.test(line))
    .join('\n');

export type GuideRun = {
  env: Readonly<Record<string, string>>;
  /** Changes a command for the test, for example to a file of the test; undefined leaves the block out. */
  edit?: (code: string, index: number) => string | undefined;
  /** Changes a JSON block before it is compared. */
  shown?: (json: string) => string;
  cwd?: string;
};

/** Printed after each block, so that its answers can be told from those of the next one. */
const separator = '\u001E';

/**
 * Runs the commands of a page as they stand there, one after the other, in one shell. Each JSON block that follows commands must be part of
 * one of their answers, where `"…"` stands for any value. Throws what was printed when a command fails.
 */
export async function runGuide(
  t: TestContext,
  page: string,
  { env, edit, shown = (json) => json, cwd }: GuideRun,
): Promise<string[]> {
  const blocks = blocksOf(page);
  const commands = blocks.flatMap((block, at) => (block.language === 'sh' ? [{ ...block, at }] : []));
  const prelude = [
    'set -euo pipefail',
    'sudo() { shift 2; "$@"; }',
    'curl() { command curl --fail-with-body --silent --show-error "$@"; }',
    apiFunctions(),
    "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
  ];
  const script = commands.flatMap(({ code }, index) => [
    (edit ? edit(code, index) : code) ?? '',
    `printf '\\n${separator}\\n'`,
  ]);
  const options = {
    cwd: cwd ?? scratch(t),
    env: { PATH: `${commandsOfCheckout(t)}:${process.env['PATH']}`, HOME: process.env['HOME'] ?? '/', ...env },
    timeout: 60_000,
    maxBuffer: 2 ** 26,
  };
  const { stdout } = await promisify(execFile)('bash', ['-c', [...prelude, ...script].join('\n')], options);
  const printed = stdout.split(separator);
  commands.forEach(({ at, heading }, index) => {
    const expected = blocks[at + 1];
    if (expected?.language !== 'json') return;
    const answers = answersIn(printed[index]!);
    const part = JSON.parse(shown(expected.code)) as unknown;
    assert.ok(
      answers.some((answer) => isPart(part, answer)),
      `${page}, "${heading}" shows ${expected.code}but was answered ${JSON.stringify(answers, null, 1)}`,
    );
  });
  return printed;
}

/** A directory with this checkout's `parley`, and its Node, as commands. */
export function commandsOfCheckout(t: TestContext): string {
  const directory = scratch(t);
  const program = resolve(import.meta.dirname, '../../bin/parley.ts');
  const command = (name: string, args: string): void =>
    writeFileSync(join(directory, name), `#!/bin/sh\nexec "${process.execPath}" ${args} "$@"\n`, { mode: 0o755 });
  command('parley', `"${program}"`);
  command('node', '');
  return directory;
}

/** The JSON values among the printed lines. */
export const answersIn = (printed: string): unknown[] =>
  printed.split('\n').flatMap((line) => (/^[[{]/.test(line) ? [JSON.parse(line) as unknown] : []));

/** Whether what a page shows is part of an answer or of something in it. */
function isPart(shown: unknown, answer: unknown): boolean {
  if (holds(shown, answer)) return true;
  return typeof answer === 'object' && answer !== null && Object.values(answer).some((value) => isPart(shown, value));
}

function holds(shown: unknown, answer: unknown): boolean {
  if (shown === '…') return answer !== undefined;
  if (typeof shown === 'string' && shown.includes('…') && typeof answer === 'string') {
    const [start, ...others] = shown.split('…');
    return answer.startsWith(start!) && answer.endsWith(others.at(-1)!);
  }
  if (typeof shown !== 'object' || shown === null) return shown === answer;
  if (typeof answer !== 'object' || answer === null || Array.isArray(shown) !== Array.isArray(answer)) return false;
  return Object.entries(shown).every(([key, value]) => holds(value, (answer as Record<string, unknown>)[key]));
}
