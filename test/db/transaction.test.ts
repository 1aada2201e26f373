import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { installation, isInTransaction, onCommit, transact, type Tx } from '../../src/db/transaction.ts';
import { createOrganization, firstOrganization, organizationExists } from '../../src/features/organizations/service.ts';
import type { App } from '../../src/kernel/app.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

let testing: TestApp;
let app: App;
before(async () => {
  testing = await createTestApp();
  ({ app } = testing);
});
after(() => testing.close());

const names = async (): Promise<string[]> =>
  (await app.db.selectFrom('organizations').select('name').orderBy('id').execute()).map(({ name }) => name);
const make = (name: string): Promise<string> =>
  transact(app.db, installation, (tx) => createOrganization(app, tx, name));
const failing = (name: string): Promise<never> =>
  transact(app.db, installation, async (tx) => {
    await createOrganization(app, tx, name);
    throw new Error(`no ${name}`);
  });

test('a nested transaction commits with the outer one, and its hooks run after that', async () => {
  const existing = await names();
  const hooks: string[] = [];
  await transact(app.db, installation, async () => {
    await transact(app.db, installation, async (tx) => {
      await createOrganization(app, tx, 'inner');
      onCommit(tx, () => hooks.push('committed'));
    });
    assert.deepEqual(
      await names(),
      [...existing, 'inner'],
      'a query on the database itself belongs to the transaction, too',
    );
    assert.notEqual(await firstOrganization(app.db), undefined);
    assert.deepEqual(hooks, []);
  });
  assert.deepEqual(hooks, ['committed']);
  assert.deepEqual(await names(), [...existing, 'inner']);
});

test('a nested transaction that throws undoes its part and its hooks; when caught, the outer one goes on', async () => {
  const existing = await names();
  const hooks: string[] = [];
  await transact(app.db, installation, async (outer) => {
    await make('kept');
    onCommit(outer, () => hooks.push('outer'));
    await assert.rejects(
      transact(app.db, installation, async (tx) => {
        await createOrganization(app, tx, 'undone');
        onCommit(tx, () => hooks.push('undone'));
        await assert.rejects(failing('deeper'), /no deeper/);
        throw new Error('no');
      }),
      /^Error: no$/,
    );
    await make('kept as well');
  });
  assert.deepEqual(hooks, ['outer']);
  assert.deepEqual(await names(), [...existing, 'kept', 'kept as well']);
});

test('an outer transaction that fails undoes its nested ones', async () => {
  const existing = await names();
  await assert.rejects(
    transact(app.db, installation, async () => {
      await make('undone');
      throw new Error('no');
    }),
  );
  assert.deepEqual(await names(), existing);
});

test('code outside a transaction waits for its end, and code started inside it counts as outside after its end', async () => {
  const existing = await names();
  let late: Promise<boolean> | undefined;
  const finished = Promise.withResolvers<void>();
  const others = Promise.all([make('one'), make('two')]);
  await transact(app.db, installation, async () => {
    assert.equal(isInTransaction(app.db), true);
    late = finished.promise.then(() => isInTransaction(app.db));
    await make('three');
  });
  finished.resolve();
  assert.equal(await late, false);
  assert.equal(isInTransaction(app.db), false);
  await others;
  assert.deepEqual((await names()).slice(existing.length).toSorted(), ['one', 'three', 'two']);
});

test('a prepared query waits for a transaction it does not belong to, and fails after its own has ended', async () => {
  const begun = Promise.withResolvers<string>();
  const looked = begun.promise.then((id) => organizationExists(app.db, id));
  let ended: Tx | undefined;
  await assert.rejects(
    transact(app.db, installation, async (tx) => {
      ended = tx;
      const id = await createOrganization(app, tx, 'never');
      assert.equal(await organizationExists(app.db, id), true, 'the transaction sees its own row');
      begun.resolve(id);
      await make('gives the outside query a chance to run');
      throw new Error('no');
    }),
  );
  assert.equal(await looked, false, 'it ran after the rollback');
  await assert.rejects(organizationExists(ended!, 'any'), /query after its transaction ended/);
});

test('being inside a transaction on another database does not count on this one', async (t) => {
  const other = await createTestApp();
  t.after(() => other.close());
  await transact(app.db, installation, async () => {
    assert.equal(isInTransaction(other.app.db), false);
    await transact(other.app.db, installation, (tx) => createOrganization(other.app, tx, 'elsewhere'));
  });
  assert.equal((await names()).includes('elsewhere'), false);
});

test('a nested transaction of another scope is refused, and the outer one goes on', async () => {
  await transact(app.db, installation, async (tx) => {
    await assert.rejects(
      transact(app.db, 'another organization', () => Promise.resolve()),
      /a transaction of installation may not open one of another organization/,
    );
    await createOrganization(app, tx, 'after the refusal');
  });
  assert.ok((await names()).includes('after the refusal'));
});
