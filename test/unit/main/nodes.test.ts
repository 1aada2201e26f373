import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LiveNode, rolesWhenActive } from '../../../src/db/open-database.ts';
import { nodeFindings, standbyFinding } from '../../../src/main/nodes.ts';

const node = (name: string, change: Partial<LiveNode> = {}): LiveNode => ({
  id: name,
  name,
  version: '1.2.0',
  roles: ['standby'],
  startedAt: 0,
  seenAt: 0,
  ...change,
});
const active = node('a', { roles: rolesWhenActive });

test('a finding says who is active, who stands by and who was lost', () => {
  const told = (...args: Parameters<typeof standbyFinding>) => {
    const { status, message } = standbyFinding(...args);
    return `${status}: ${message}`;
  };
  assert.equal(told([active, node('b'), node('c')], []), 'ok: active: a; standing by: b, c');
  assert.equal(told([active], []), 'warn: active: a; no other node stands by to take over');
  assert.equal(told([node('b')], []), 'warn: no node is active; standing by: b');
  assert.equal(
    told([active, node('b', { version: '1.3.0' })], []),
    'warn: active: a; standing by: b; versions differ (a 1.2.0, b 1.3.0)',
  );
  assert.equal(
    told([active, node('b')], [node('c', { seenAt: Date.UTC(2026, 2, 2) })]),
    'warn: active: a; standing by: b; c was last seen at 2026-03-02T00:00:00.000Z and was not stopped',
  );
});

test('a clock that is away from the database’s is told from a second on', async () => {
  const clockOf = async (aheadMs: number) => {
    const nodes = {
      live: () => Promise.resolve([active]),
      lost: () => Promise.resolve([]),
      now: () => Promise.resolve(Date.now() - aheadMs),
    };
    const { status, message } = (await nodeFindings({ nodes }))[1]!;
    return `${status}: ${message.replace(/\.\d s/, ' s')}`;
  };
  const isRight = 'ok: the clock of this machine agrees with that of the database';
  assert.deepEqual([await clockOf(0), await clockOf(500), await clockOf(-500)], [isRight, isRight, isRight]);
  assert.match(await clockOf(60_400), /^warn: the clock of this machine is 60 s ahead of that of the database/);
  assert.match(await clockOf(-60_400), /^warn: the clock of this machine is 60 s behind that of the database/);
  assert.deepEqual(await nodeFindings({}), []);
});
