import { closest, distance } from 'fastest-levenshtein';

const VARIABLE_PREFIX = 'parley_';

/** Removes differences that are not typing errors: case, dashes, and the prefix of variables. */
const normalized = (name: string): string => name.toLowerCase().replaceAll('-', '_').replace(VARIABLE_PREFIX, '');

/**
 * The candidate that was probably meant: the only one that ends in the name, or one with at most a third of its letters wrong, or two, which
 * is what two exchanged letters count.
 */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = normalized(name);
  if (candidates.length === 0 || wanted === '') return undefined;
  const endings = candidates.filter((candidate) => candidate.endsWith(`.${wanted}`));
  if (endings.length === 1) return endings[0];
  const names = candidates.map(normalized);
  const best = closest(wanted, names);
  const tolerance = Math.max(wanted.length > 3 ? 2 : 1, Math.floor(wanted.length / 3));
  return distance(wanted, best) <= tolerance ? candidates[names.indexOf(best)] : undefined;
}

/**
 * Ends a sentence: with `; did you mean http.port?` or, when no candidate is close, with a full stop.
 */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const best = nearest(name, candidates);
  return best === undefined ? '.' : `; did you mean ${best}?`;
}
