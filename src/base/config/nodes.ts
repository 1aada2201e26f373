import { isAlias, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Document, Node } from 'yaml';

/** A step into a list setting: the index of an entry or the name of a field. */
export type Step = string | number;

/** The path to the map key that starts at an offset; empty when no plain key starts there. */
export function stepsToKey(doc: Document, offset: number): Step[] {
  let steps: Step[] = [];
  visit(doc, {
    Pair(_, pair, ancestors) {
      if (!isScalar(pair.key) || pair.key.range?.[0] !== offset) return undefined;
      const chain = [...ancestors, pair];
      steps = chain.flatMap((node, at) => stepInto(node, chain[at + 1]));
      return visit.BREAK;
    },
  });
  return steps;
}

function stepInto(node: unknown, next: unknown): Step[] {
  if (isPair(node)) return [keyOf(node)];
  return isSeq(node) ? [node.items.indexOf(next)] : [];
}

/** `['voices', 0, 'id']` → `voices[0].id`, as in the `details` of API errors. */
export function pathText(steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** The key of a pair; empty when the key is a list or a map. */
export const keyOf = (pair: { key: unknown }): string => (isScalar(pair.key) ? String(pair.key.value) : '');

/** Resolves an alias (undefined when its anchor is missing); returns any other node unchanged. */
export const resolve = (node: unknown, doc: Document): unknown => (isAlias(node) ? node.resolve(doc) : node);

/** The plain value of a node. Throws a ReferenceError for an alias that has no anchor or that expands too far. */
export const toValue = (node: unknown, doc: Document): unknown => (node === null ? null : (node as Node).toJS(doc));

/** The node whose line locates a value inside a list: the key of a field, or the list entry. */
export function nodeAt(doc: Document, root: unknown, steps: readonly Step[]): unknown {
  let node = root;
  let named: unknown;
  for (const step of steps) {
    const content = resolve(node, doc);
    const pair = isMap(content) ? content.items.find((item) => keyOf(item) === step) : undefined;
    const next = isSeq(content) ? content.items[Number(step)] : pair?.value;
    if (next === undefined) return named;
    named = pair === undefined ? next : pair.key;
    node = next;
  }
  return named;
}
