import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import { cursorOf, pageFor } from '../../../src/http/input/cursors.ts';
import type { Route } from '../../../src/kernel/route.ts';

const key = randomBytes(32);
const request = { caller: { orgId: 'a' } as never, params: {}, query: { limit: 2 } };
const pageAfter = (after: string, more: object = {}) =>
  pageFor(
    { operationId: 'listCalls', paged: 'cursor' } as Route,
    { ...request, query: { limit: 7, after }, ...more },
    key,
  ).after;
const refused = (error: unknown): boolean => error instanceof AppError && error.kind === 'invalid';

test('a cursor that this installation made for the list is taken, with another limit too', () => {
  assert.deepEqual(pageAfter(cursorOf(['x', null, 5], { operationId: 'listCalls', key, ...request })), ['x', null, 5]);
  assert.equal(pageAfter(''), null);
});

test('a cursor of another installation, organization or list is refused', () => {
  const list = { operationId: 'listCalls', key, ...request };
  for (const other of [{ key: randomBytes(32) }, { caller: { orgId: 'b' } as never }, { operationId: 'listAgents' }]) {
    const cursor = cursorOf(['x'], { ...list, ...other });
    assert.throws(() => pageAfter(cursor), refused);
  }
  const [position, signature] = cursorOf(['x'], list).split('.') as [string, string];
  for (const cursor of [
    position,
    `${position}.`,
    `.${signature}`,
    `${position}.${signature.slice(2)}`,
    `${position}.${signature}AA`,
  ]) {
    assert.throws(() => pageAfter(cursor), refused, cursor);
  }
});
