import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imports } from '../../../src/dashboard/text/contacts.ts';

test('the figures of an import add up to its rows', () => {
  assert.equal(
    imports.done({ total: 10, created: 4, updated: 2, rejected_count: 1 }),
    '10 rows: 4 contacts made, 2 updated, 1 rejected, 3 left as they are.',
  );
  assert.equal(
    imports.done({ total: 5, created: 5, updated: 0, rejected_count: 0, added: 3 }),
    '5 rows: 5 contacts made, 0 updated, 0 rejected. 3 contacts joined the campaign, 2 did not.',
  );
});

test('they add up also where more rows are skipped than an answer lists', () => {
  const figures = { total: 9000, created: 2000, updated: 6000, rejected_count: 1000, added: 2000 };
  assert.equal(imports.skippedOf(figures), 6000);
  assert.match(imports.done(figures), /^9,000 rows: .+ 2,000 contacts joined the campaign, 6,000 did not\.$/);
});

test('a skipped row is one of those that can be imported', () => {
  assert.equal(imports.canBeImported(201, 202), '201 of 202 rows can be imported');
  assert.equal(imports.leftOut(1, 1), '1 row is rejected, 1 of the others is skipped; the reasons are below.');
  assert.equal(imports.leftOut(0, 2), '0 rows are rejected, 2 of the others are skipped; the reasons are below.');
});
