import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync } from 'oxc-parser';

/** PostgreSQL may refuse a transaction, which then runs again: what its first run counted in memory would be counted twice. */

const begins: ReadonlySet<unknown> = new Set(['transact', 'transactTogether']);
const changing: ReadonlySet<unknown> = new Set([
  'add',
  'clear',
  'delete',
  'pop',
  'push',
  'set',
  'shift',
  'splice',
  'unshift',
]);
/** Changes that are right, by file and variable. */
const exceptions: ReadonlySet<string> = new Set([
  'src/features/calls/last-look.ts waiters', // those who join the transaction when it begins, also in its second run
]);

type Node = { type: string; start: number; name?: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);
const withinOf = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(withinOf)];

/** Names that a piece of code declares, as parameters and variables. */
function declaredIn(code: Node): Set<string | undefined> {
  const patterns = withinOf(code).flatMap((node) =>
    node.type === 'VariableDeclarator' ? [node['id'] as Node] : ((node['params'] as Node[] | undefined) ?? []),
  );
  return new Set(patterns.flatMap(withinOf).map(({ name }) => name));
}

/** The variable that `a.b.c` and `a` begin with. */
const variableOf = (node: Node): string | undefined =>
  node.name ?? (isNode(node['object']) ? variableOf(node['object']) : undefined);

/** Variables that a piece of code changes, but for what it does once the transaction is committed. */
function changedIn(node: Node): Array<string | undefined> {
  const callee = node['callee'] as Node | undefined;
  if (callee?.name === 'onCommit') return [];
  const isCallOfChange =
    node.type === 'CallExpression' && changing.has((callee?.['property'] as Node | undefined)?.name);
  const target = isCallOfChange ? callee!['object'] : assigned[node.type]?.(node);
  return [...(isNode(target) ? [variableOf(target)] : []), ...childrenOf(node).flatMap(changedIn)];
}

const assigned: Readonly<Record<string, (node: Node) => unknown>> = {
  AssignmentExpression: (node) => node['left'],
  UpdateExpression: (node) => node['argument'],
};

/** Variables from outside of it that the code of a transaction changes. */
function keptChangesIn(text: string): string[] {
  if (!text.includes('transact')) return [];
  const program = parseSync('any.ts', text).program as unknown as Node;
  const runs = withinOf(program)
    .filter((node) => begins.has((node['callee'] as Node | undefined)?.name))
    .flatMap((node) => node['arguments'] as Node[])
    .filter(({ type }) => type === 'ArrowFunctionExpression');
  return runs.flatMap((run) => {
    const own = declaredIn(run);
    return changedIn(run).filter((name) => name !== undefined && !own.has(name)) as string[];
  });
}

test('what a transaction changes in memory it changes once it is committed', () => {
  assert.deepEqual(keptChangesIn('transact(db, id, async (tx) => { done += await act(tx); })'), ['done']);
  assert.deepEqual(keptChangesIn('transact(db, id, (tx) => { const own = []; own.push(1); all.ids.push(1); })'), [
    'all',
  ]);
  assert.deepEqual(keptChangesIn('transact(db, id, (tx) => onCommit(tx, () => (done += 1)))'), []);
  const files = globSync('src/**/*.ts', { exclude: ['src/dashboard/**'] });
  const found = files.flatMap((file) => keptChangesIn(readFileSync(file, 'utf8')).map((name) => `${file} ${name}`));
  assert.ok(files.length > 500);
  assert.deepEqual(new Set(found), exceptions);
});
