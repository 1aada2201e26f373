/** Prints the results of a bench: parley's figure, the baseline's, their ratio, and the target. */

/** `--quick`: fewer and smaller rounds, to check that a bench works. The ratios are rough then. */
export const quick = process.argv.includes('--quick');

export type Row = {
  what: string;
  /** The figure of the bare library; absent if the target is absolute. */
  bare?: number;
  parley: number;
  unit?: string;
  digits?: number;
  /** The lowest and highest figure of all rounds. */
  spread?: readonly [number, number];
  /** The ratio of each round. Their median then counts instead of the ratio of the medians, which a change of load between rounds moves. */
  ratios?: readonly number[];
  /** For parley ÷ bare or, without a bare figure, for parley's own. */
  target?: { atLeast: number } | { atMost: number };
};

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of each figure over all rounds. */
export function medians<K extends string>(rounds: ReadonlyArray<Record<K, number>>): Record<K, number> {
  const names = Object.keys(rounds[0] ?? {}) as K[];
  return Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))])) as Record<
    K,
    number
  >;
}

/** The rounds' ratios of parley's figure and the bare one. */
export const ratiosOf = <K extends string>(rounds: ReadonlyArray<Record<K, number>>, parley: K, bare: K): number[] =>
  rounds.map((round) => round[parley] / round[bare]);

/** Tells on standard error what is measured now, because some benches take minutes before they print their table. */
export const progress = (what: string): void => void process.stderr.write(`${what} …\n`);

/** `--json`: one JSON object instead of a table. */
const isJson = process.argv.includes('--json');

export function report(title: string, rows: readonly Row[], notes: readonly string[] = []): void {
  if (isJson) {
    console.log(JSON.stringify({ title, rows, notes }));
    return;
  }
  const cells = [['', 'bare', 'parley', 'spread', 'ratio', 'target', ''], ...rows.map(cellsOf)];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  console.log(['', title, ...lines.map((line) => `  ${line}`), ...notes.map((note) => `  (${note})`)].join('\n'));
}

function cellsOf({ what, bare, parley, unit = '', digits = 0, spread, ratios, target }: Row): string[] {
  const amount = (value: number): string =>
    `${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit}`.trim();
  const ratio = bare === undefined ? undefined : ratios ? median(ratios) : parley / bare;
  return [
    what,
    bare === undefined ? '' : amount(bare),
    amount(parley),
    spread === undefined ? '' : spread.map((value) => amount(value)).join(' to '),
    ratio === undefined ? '' : ratio.toFixed(2) + rangeOf(ratios),
    target === undefined ? '' : limitOf(target, ratio === undefined),
    target === undefined ? '' : verdict(ratio ?? parley, target),
  ];
}

const rangeOf = (ratios: readonly number[] | undefined): string =>
  ratios === undefined ? '' : ` (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;

const limitOf = (target: NonNullable<Row['target']>, absolute: boolean): string => {
  const text = (limit: number): string => (absolute ? limit.toLocaleString('en') : limit.toFixed(2));
  return 'atLeast' in target ? `≥ ${text(target.atLeast)}` : `≤ ${text(target.atMost)}`;
};

function verdict(value: number, target: NonNullable<Row['target']>): string {
  const met = 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
  return met ? 'met' : 'MISSED';
}

/** Of a busy machine nothing is met or missed. */
export const onMachine = (rows: readonly Row[], isBusy: boolean): Row[] =>
  rows.map((row) => {
    const { target, ...shown } = row;
    return isBusy || target === undefined ? shown : row;
  });

/** Runs the part that `--part=` names, or all of them. Returns what they return, in their order. */
export async function measureParts<R>(parts: Readonly<Record<string, () => Promise<R>>>): Promise<R[]> {
  const wanted = process.argv.find((argument) => argument.startsWith('--part='))?.slice('--part='.length);
  if (wanted !== undefined && !Object.hasOwn(parts, wanted))
    throw new Error(`--part is one of ${Object.keys(parts).join(', ')}`);
  const results: R[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (wanted !== undefined && wanted !== name) continue;
    progress(name);
    results.push(await measure());
  }
  return results;
}
