import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { aContact } from '../support/fixtures.ts';
import { dataOf, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.stop());

const fields = ['first_name', 'last_name', 'company'] as const;
type Fields = Partial<Record<(typeof fields)[number], string>>;
const steps = fc.array(
  fc.oneof(
    fc.record({ who: fc.nat(1), does: fc.constant('read' as const) }),
    fc.record({
      who: fc.nat(1),
      does: fc.constant('save' as const),
      change: fc.dictionary(fc.constantFrom(...fields), fc.constantFrom('A', 'B', 'C'), { minKeys: 1 }),
    }),
  ),
  { maxLength: 12 },
);

test('however two editors take turns, no field is overwritten by somebody who has not seen it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (turns) => {
      const { id } = await aContact(server);
      const seen = [1, 1];
      let acknowledged: Fields = {};
      let version = 1;
      for (const turn of turns) {
        if (turn.does === 'read') {
          seen[turn.who] = Number(dataOf(await server.get(`/contacts/${id}`)).version);
          continue;
        }
        const headers = { 'if-match': `"${seen[turn.who]}"` };
        const answer = await server.patch(`/contacts/${id}`, turn.change, { headers });
        assert.equal(answer.status, seen[turn.who] === version ? 200 : 412);
        if (answer.status !== 200) continue;
        acknowledged = { ...acknowledged, ...turn.change };
        version = seen[turn.who] = Number(dataOf(answer).version);
      }
      const stored = dataOf(await server.get(`/contacts/${id}`));
      for (const field of fields) assert.equal(stored[field], acknowledged[field] ?? null);
      assert.equal(stored.version, version);
    }),
    { numRuns: 40 },
  );
});
