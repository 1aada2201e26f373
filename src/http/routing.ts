import type { Context } from 'koa';
import { AppError } from '../base/errors.ts';
import type { Handler } from './handler.ts';

/** Dispatches requests by path and method. */
export type Routing = {
  /** `path` may contain `{name}` placeholders as whole segments. */
  add(method: string, path: string, handler: Handler): void;
  /** All rows added so far. */
  rows: ReadonlyArray<{ method: string; path: string }>;
  /**
   * Calls the handler of a request, and returns what it returns. GET handlers also answer HEAD.
   * @throws not_found for an unknown path, method_not_allowed with `Allow` for another method of a known one
   */
  answer: (ctx: Context) => ReturnType<Handler>;
};

/** `names` are those of the placeholders, with the position of their segments. */
type Row = { method: string; path: string; handler: Handler; names: ReadonlyArray<{ name: string; at: number }> };

/** The rows whose paths begin with the same segments. `rows` are those that end here. */
type Node = { literals: Map<string, Node>; placeholder?: Node; rows: Row[] };

/** More than any route has; bounds the work on a hostile path with thousands of segments. */
const maxSegments = 16;

/** The segments of a path, without the empty one that a trailing slash makes (contract, section 1). */
function segmentsOf(path: string): string[] {
  const segments = path.split('/', maxSegments);
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

const isPlaceholder = (segment: string): boolean => segment.startsWith('{');

/** A tree of segments. By hand, because @koa/router tries one pattern after the other, which takes longer than many a read. */
export function createRouting(): Routing {
  const rows: Row[] = [];
  const root: Node = { literals: new Map(), rows: [] };
  return {
    rows,
    add(method, path, handler) {
      const segments = segmentsOf(path);
      const names = segments.flatMap((name, at) => (isPlaceholder(name) ? [{ name: name.slice(1, -1), at }] : []));
      const row = { method, path, handler, names };
      rows.push(row);
      nodeFor(root, segments).rows.push(row);
    },
    answer(ctx) {
      const { path, method } = ctx;
      const segments = segmentsOf(path);
      const row = rowOf(root, segments, 0, method === 'HEAD' ? 'GET' : method);
      if (!row) throw unmatched(path, method, methodsAt(root, segments, 0));
      return row.handler(ctx, paramsOf(row, segments));
    },
  };
}

/** The node at the end of the segments; makes those that are missing. */
function nodeFor(root: Node, segments: readonly string[]): Node {
  let node = root;
  for (const segment of segments) {
    const made: Node = { literals: new Map(), rows: [] };
    if (isPlaceholder(segment)) node = node.placeholder ??= made;
    else {
      const known = node.literals.get(segment) ?? made;
      node.literals.set(segment, known);
      node = known;
    }
  }
  return node;
}

/** The row of a path and method. Literal segments come first, so that `/contacts/export` is not matched as a contact's id. */
function rowOf(node: Node, segments: readonly string[], at: number, method: string): Row | undefined {
  if (at === segments.length) return node.rows.find((row) => row.method === method);
  const segment = segments[at]!;
  const literal = node.literals.get(segment);
  const found = literal && rowOf(literal, segments, at + 1, method);
  if (found || !node.placeholder || segment === '') return found;
  return rowOf(node.placeholder, segments, at + 1, method);
}

/** The methods of all rows that match a path. */
function methodsAt(node: Node, segments: readonly string[], at: number): string[] {
  if (at === segments.length) return node.rows.map(({ method }) => method);
  const segment = segments[at]!;
  const literal = node.literals.get(segment);
  const { placeholder } = node;
  return [
    ...(literal ? methodsAt(literal, segments, at + 1) : []),
    ...(placeholder && segment !== '' ? methodsAt(placeholder, segments, at + 1) : []),
  ];
}

function paramsOf({ names }: Row, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const { name, at } of names) params[name] = decoded(segments[at]!);
  return params;
}

/** Text that is not validly encoded stays as it is. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function unmatched(path: string, method: string, methods: readonly string[]): AppError {
  if (methods.length === 0) return new AppError('not_found', `There is nothing at ${path}.`);
  const allowed = [...new Set(methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])))]
    .toSorted()
    .join(', ');
  return new AppError('method_not_allowed', `${path} allows ${allowed}, not ${method}.`, {
    headers: { Allow: allowed },
  });
}
