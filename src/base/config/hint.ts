import { closest, distance } from 'fastest-levenshtein';

const VARIABLE_PREFIX = 'parley_';

/** As settings are spelt: `webhooks.timeout-ms` and `PARLEY_HTTP_PROT` differ from what was meant by letters only. */
const spelling = (name: string): string => name.toLowerCase().replaceAll('-', '_').replace(VARIABLE_PREFIX, '');

/** The candidate that was probably meant, or undefined: at most every third letter is wrong, or its section is missing. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const spelt = spelling(name);
  if (candidates.length === 0 || spelt === '') return undefined;
  const endings = candidates.filter((candidate) => candidate.endsWith(`.${spelt}`));
  if (endings.length === 1) return endings[0];
  const spellings = candidates.map(spelling);
  const best = closest(spelt, spellings);
  const tolerance = Math.max(1, Math.floor(spelt.length / 3));
  return distance(spelt, best) <= tolerance ? candidates[spellings.indexOf(best)] : undefined;
}

/** The hint as the end of a sentence: `; did you mean http.port?`, or nothing but the full stop. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const best = nearest(name, candidates);
  return best === undefined ? '.' : `; did you mean ${best}?`;
}
