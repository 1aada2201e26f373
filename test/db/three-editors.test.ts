import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { aContact } from '../support/fixtures.ts';
import { type Data, dataOf, startTestServer } from '../support/server.ts';
import { propertyRuns } from '../support/property-runs.ts';

const server = await startTestServer();
after(() => server.stop());

const fields = ['first_name', 'last_name', 'company'] as const;
type Field = (typeof fields)[number];
type Fields = Record<Field, string | null>;

const step = fc.record({
  who: fc.nat(2),
  does: fc.constantFrom('read', 'save', 'opt out', 'lift'),
  change: fc.dictionary(fc.constantFrom(...fields), fc.constantFrom('A', 'B', 'C'), { minKeys: 1 }),
});

const settingsOf = (data: Data): Fields =>
  Object.fromEntries(fields.map((field) => [field, data[field] as string | null])) as Fields;

type Change = { field: Field; before: string | null; after: string | null };

const differences = (before: Fields, now: Fields): Change[] =>
  fields
    .filter((field) => before[field] !== now[field])
    .map((field) => ({ field, before: before[field], after: now[field] }));

const sorted = (changes: readonly Change[]): Change[] =>
  changes.toSorted((a, b) => fields.indexOf(a.field) - fields.indexOf(b.field));

test('however three editors take turns, nobody overwrites what he has not seen, and each is told all of it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const contact = await aContact(server, { first_name: null, last_name: null, company: null });
      const path = `/contacts/${contact.id}`;
      let stored = { version: 1, settings: settingsOf(contact), doNotCall: false };
      const seen = [stored, stored, stored];
      for (const { who, does, change } of steps) {
        if (does === 'read') {
          const now = dataOf(await server.get(path));
          assert.deepEqual([now.version, settingsOf(now)], [stored.version, stored.settings]);
          seen[who] = stored;
        } else if (does === 'save') {
          const { version, settings } = seen[who]!;
          const answer = await server.patch(path, change, { headers: { 'if-match': `"${version}"` } });
          assert.equal(answer.status, version === stored.version ? 200 : 412);
          if (answer.status === 412) {
            const told = (answer.body.data as unknown as { changes: Change[] }).changes;
            assert.deepEqual(sorted(told), differences(settings, stored.settings));
            continue;
          }
          stored = { ...stored, version: Number(dataOf(answer).version), settings: { ...settings, ...change } };
          seen[who] = stored;
        } else {
          if (does === 'opt out') await server.put(`${path}/do-not-call`, {});
          else await server.del(`${path}/do-not-call`);
          stored = { ...stored, doNotCall: does === 'opt out' };
        }
      }
      const now = dataOf(await server.get(path));
      assert.deepEqual(
        [now.version, settingsOf(now), now['do_not_call']],
        [stored.version, stored.settings, stored.doNotCall],
      );
    }),
    { numRuns: propertyRuns({ few: 15, all: 60 }) },
  );
});
