import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { installation, optimize, transact } from '../../../src/db/transaction.ts';
import * as store from '../../../src/features/contacts/do-not-call-store.ts';
import * as contacts from '../../../src/features/contacts/service.ts';
import { createOrganization } from '../../../src/features/organizations/service.ts';
import { createTestApp } from '../../support/app.ts';
import { planOf, recordStatements } from '../../support/plans.ts';

const { app, close } = await createTestApp();
after(() => close());

test('what stands against calling a contact is looked up, however many phones must not be called', async (t) => {
  const orgId = await transact(app.db, installation, (tx) => createOrganization(app, tx, 'Example'));
  const phones = Array.from({ length: 2000 }, (_, n) => `+4930901${10_000 + n}`);
  const [first, last] = [phones[0]!, phones.at(-1)!];
  const [contact] = await transact(app.db, orgId, async (tx) => {
    await store.insertEntries(tx, orgId, phones, { reason: null, by: null, createdAt: 1 });
    return contacts.createContacts(app, tx, orgId, [{ first_name: 'Ada', phone: last }]);
  });
  const statements = await recordStatements(t, app.db);
  assert.equal((await store.reasonsAgainst(app.db, orgId, [last], [contact!.id])).length, 1);
  assert.equal((await store.reasonsAgainst(app.db, orgId, [first, last], [])).length, 2);
  const [statement] = statements;
  const checkPlan = async (): Promise<void> => {
    const steps = await planOf(app.db, statement!);
    const lookUps = steps.filter((step) => /do_not_call|contacts/.test(step));
    assert.equal(lookUps.length, 3, steps.join('\n'));
    for (const step of lookUps) assert.match(step, /^SEARCH .*(AND phone|AND id|\(id)=\?/);
  };
  await checkPlan();
  await transact(app.db, installation, optimize);
  await checkPlan();
});
