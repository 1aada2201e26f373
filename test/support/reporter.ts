import { appendFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

/**
 * Test reporter that prints failures in full as they happen, whatever the tests write to stdout and stderr, and Node's closing lines
 * (`ℹ tests N` … as the spec reporter prints them). Passing tests print nothing. Writes the paths of test files with failures, a line each,
 * to the file that FAILED_TEST_FILES names, and appends a line for each failure to the file that FAILED_TEST_SUMMARY names.
 */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const titles = new Map<string, string>();
  const failures: string[] = [];
  const failedFiles = new Set<string>();
  const summary = process.env['FAILED_TEST_SUMMARY'];
  for await (const { type, data } of events) {
    if (type === 'test:enqueue') titles.set(keyOf(data), titleOf(data, titles));
    else if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    else if (type === 'test:fail' && !isConsequence(data)) {
      const heading = `✖ ${titles.get(keyOf(data)) ?? data.name} (${locationOf(data)})`;
      failures.push(heading);
      if (data.file !== undefined) failedFiles.add(relative('', data.file));
      if (summary !== undefined) appendFileSync(summary, `${summaryOf(heading, data)}\n`);
      yield `\n${heading} after ${(data.details.duration_ms / 1000).toFixed(1)} s\n${indented(textOf(data))}\n\n`;
    } else if (type === 'test:diagnostic') {
      if (data.message.startsWith('tests ')) yield [...failures, ''].join('\n');
      yield `ℹ ${data.message}\n`;
    }
  }
  const list = process.env['FAILED_TEST_FILES'];
  if (list !== undefined) writeFileSync(list, [...failedFiles].map((file) => `${file}\n`).join(''));
}

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data'];
/** Identifies a test in all events about it: ids are unique per process, and `entryFile` is the file which that process runs. */
type Identity = { name: string; entryFile?: string; testId?: number | undefined; parentId?: number | undefined };

const keyOf = ({ entryFile, testId }: Identity): string => `${entryFile ?? 'file'} ${testId}`;

/** The name after those of the suites and tests around it. */
function titleOf(test: Identity, titles: ReadonlyMap<string, string>): string {
  const parent = titles.get(keyOf({ ...test, testId: test.parentId }));
  return parent === undefined ? test.name : `${parent} › ${test.name}`;
}

function locationOf({ file = '', line }: Failure): string {
  const path = relative('', file);
  return line === undefined ? path : `${path}:${line}`;
}

/** Whether a suite or file failed only because a test in it failed, which was printed already. */
const isConsequence = ({ details }: Failure): boolean =>
  (details.error as { failureType?: string }).failureType === 'subtestsFailed';

function textOf({ details: { error } }: Failure): string {
  const { cause = error } = error;
  if (!(cause instanceof Error)) return String(cause);
  const isWhole = (cause as { generatedMessage?: boolean }).generatedMessage === true; // the message holds the whole diff
  const text = isWhole ? (cause.stack ?? cause.message) : inspect(cause, { depth: null, breakLength: 120 });
  return text.replaceAll(/\n +at .*\(?node:.*/g, '');
}

/** The place and name of a failed test, and the first line of its error: at most 300 characters. */
const summaryOf = (heading: string, failure: Failure): string =>
  `${heading.slice(0, 160)}: ${textOf(failure).split('\n', 1)[0]?.slice(0, 138) ?? ''}`;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');
