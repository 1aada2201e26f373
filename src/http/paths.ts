/** What answers requests, by path and method. */
export type Paths<T> = {
  /** Takes a path with `{name}` for its parameters. */
  add(method: string, path: string, target: T): void;
  find(method: string, path: string): Found<T>;
};

/** `allowed`: the methods that the path has instead; none when nothing is there. */
export type Found<T> = { target: T; params: Record<string, string> } | { target?: undefined; allowed: string[] };

type Place<T> = {
  /** What may follow, by its segment. */
  literals: Map<string, Place<T>>;
  parameter?: Place<T>;
  /** What stands here, with the numbers and names of the segments that are parameters. */
  targets: Map<string, { target: T; parameters: Array<[at: number, name: string]> }>;
};

const emptyPlace = <T>(): Place<T> => ({ literals: new Map(), targets: new Map() });

/** A path works with and without its trailing slash (contract, section 1). */
function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

/**
 * Looks paths up segment by segment. By hand because @koa/router tries one regular expression after the other, of a hundred and more,
 * with every request. A literal segment goes before a parameter, so that `/contacts/export` is not taken for a contact; GET answers HEAD.
 */
export function createPaths<T>(): Paths<T> {
  const root = emptyPlace<T>();
  return {
    add(method, path, target) {
      let place = root;
      const parameters: Array<[number, string]> = [];
      for (const [at, segment] of segmentsOf(path).entries()) {
        const name = /^\{(\w+)\}$/.exec(segment)?.[1];
        if (name === undefined) place = literalAfter(place, segment);
        else {
          place = place.parameter ??= emptyPlace();
          parameters.push([at, name]);
        }
      }
      place.targets.set(method, { target, parameters });
    },
    find(method, path) {
      const segments = segmentsOf(path);
      const places = placesAt(root, segments, 0);
      const wanted = method === 'HEAD' ? 'GET' : method;
      for (const { targets } of places) {
        const found = targets.get(wanted);
        if (found) return { target: found.target, params: paramsOf(found.parameters, segments) };
      }
      return { allowed: methodsOf(places) };
    },
  };
}

function literalAfter<T>(place: Place<T>, segment: string): Place<T> {
  const known = place.literals.get(segment) ?? emptyPlace<T>();
  place.literals.set(segment, known);
  return known;
}

/** Every place that a path may mean, the more literal before the less. */
function placesAt<T>(from: Place<T>, segments: readonly string[], at: number): Place<T>[] {
  const segment = segments[at];
  if (segment === undefined) return [from];
  const literal = from.literals.get(segment);
  const parameter = segment === '' ? undefined : from.parameter;
  if (literal && parameter) return [...placesAt(literal, segments, at + 1), ...placesAt(parameter, segments, at + 1)];
  const only = literal ?? parameter;
  return only ? placesAt(only, segments, at + 1) : [];
}

const paramsOf = (parameters: ReadonlyArray<[number, string]>, segments: readonly string[]): Record<string, string> =>
  Object.fromEntries(parameters.map(([at, name]) => [name, decoded(segments[at]!)]));

/** What is no percent-encoding stays as it is, and is no id of anything. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // see above
  }
}

const methodsOf = <T>(places: readonly Place<T>[]): string[] => {
  const methods = new Set(places.flatMap(({ targets }) => [...targets.keys()]));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
};
