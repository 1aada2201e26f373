import { closest, distance } from 'fastest-levenshtein';

/** The candidate that was probably meant, or undefined: at most every third letter is wrong, or its section is missing. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('-', '_');
  if (candidates.length === 0 || plain === '') return undefined;
  const endings = candidates.filter((candidate) => candidate.endsWith(`.${plain}`));
  if (endings.length === 1) return endings[0];
  const best = closest(plain, [...candidates]);
  return distance(plain, best) <= Math.max(1, Math.floor(plain.length / 3)) ? best : undefined;
}

/** The hint as the end of a sentence: `; did you mean http.port?`, or nothing but the full stop. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const best = nearest(name, candidates);
  return best === undefined ? '.' : `; did you mean ${best}?`;
}
