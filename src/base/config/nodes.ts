import { isAlias, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Document, Node } from 'yaml';

/** A step into a list setting: the index of an entry or the name of a field. */
export type Step = string | number;

/** The way to the map key that starts at an offset; empty for keys that are no plain names. */
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

/** `['voices', 0, 'id']` → `voices[0].id`; entries in brackets, as in the details of the API's own faults. */
export function pathText(steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** The name of a pair; empty for keys that are lists or maps. */
export const keyOf = (pair: { key: unknown }): string => (isScalar(pair.key) ? String(pair.key.value) : '');

/** What an alias stands for (undefined when nothing has its anchor), anything else itself. */
export const resolve = (node: unknown, doc: Document): unknown => (isAlias(node) ? node.resolve(doc) : node);

/** The plain value of a node. Throws ReferenceError for an alias whose anchor is missing or that expands without end. */
export const toValue = (node: unknown, doc: Document): unknown => (node === null ? null : (node as Node).toJS(doc));

/** The node that stands for a place in a list: the field's key where there is one, for its line. */
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
