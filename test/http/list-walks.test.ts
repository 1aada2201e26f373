// Long: it walks every list while rows come and go.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { installation, transact } from '../../src/db/transaction.ts';
import { createApiKey } from '../../src/features/organizations/service.ts';
import { walk, walkedLists } from '../support/list-walks.ts';
import { fillDatabase } from '../support/many-rows.ts';
import { startTestServer } from '../support/server.ts';

const rows = 2000;
const server = await startTestServer({ counts: false });
after(() => server.stop());
const { app } = server.running;
const world = await fillDatabase(app.db, rows);
const { apiKey } = await transact(app.db, installation, (tx) =>
  createApiKey(app, tx, world.orgId, { name: 'Walker', role: 'admin' }),
);

for (const list of walkedLists(world)) {
  test(`a walk of ${list.path} shows each row that stands still once, while others come and go`, async () => {
    const { pages } = await walk(app.db, world, list, {
      limit: 40,
      async get(path) {
        const answer = await server.get(path, { key: apiKey });
        assert.equal(answer.status, 200, answer.text);
        return answer.body as never;
      },
    });
    assert.ok(pages > 30, String(pages));
  });
}
