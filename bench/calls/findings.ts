import type { Lateness } from './processes.ts';

/** What bench:calls found. A figure with a limit is met or missed, except on a busy machine, where it says nothing of parley. */
export type Finding = { what: string; found: string; limit?: string; isMet?: boolean };

const missed: string[] = [];
const unknown: string[] = [];

/** Prints the findings of one part as a table, and remembers what was missed. Without `bare`, they do not depend on the machine's load. */
export function tell(title: string, findings: readonly Finding[], bare?: Lateness & { isBusy: boolean }): void {
  const rows = findings.map(({ what, found, limit = '', isMet }) => {
    if (isMet === undefined) return [what, found, limit, ''];
    if (bare?.isBusy) unknown.push(`${title}: ${what}`);
    else if (!isMet) missed.push(`${title}: ${what} is ${found} (${limit})`);
    return [what, found, limit, bare?.isBusy ? 'unknown' : isMet ? 'met' : 'MISSED'];
  });
  if (bare) {
    const shown = `p50 ${bare.p50.toFixed(2)} ms, p99 ${bare.p99.toFixed(2)} ms`;
    rows.push(['a bare timer of 2 ms meanwhile', shown, '', '']);
  }
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  console.log(['', title, ...lines.map((line) => `  ${line}`.trimEnd())].join('\n'));
}

/** Says in the last lines what was missed, and fails if anything was. */
export function conclude(): void {
  if (unknown.length > 0) {
    console.log(
      `\nThe machine was busy, so ${unknown.length} figures say nothing of parley. Measure again when it is idle.`,
    );
  }
  for (const line of missed) console.log(`\nMISSED ${line}`);
  if (missed.length === 0 && unknown.length === 0) console.log('\nEverything was met.');
  process.exitCode = missed.length > 0 ? 1 : 0;
}
