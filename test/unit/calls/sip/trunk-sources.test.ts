import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLog } from '../../../../src/base/log.ts';
import type { App } from '../../../../src/kernel/app.ts';
import { createSources } from '../../../../src/telephony/dialog/sources.ts';
import { createTrunkSources } from '../../../../src/features/calls/carriers/sip/trunk-sources.ts';

const trunk = (uri: string) => ({ uri, transport: null });

/** Sources whose names have these addresses, with what they told the telephony thread. */
function sourcesWith(t: TestContext, names: Record<string, string[] | Promise<string[]>>) {
  const told = new Map<string, string | null>();
  let changed = Promise.withResolvers<void>();
  const sources = createTrunkSources({ log: createLog('silent') } as unknown as App, {
    isAllowed: (address) => !address.startsWith('10.'),
    onChange(changes) {
      for (const [address, owner] of changes) told.set(address, owner);
      changed.resolve();
      changed = Promise.withResolvers();
    },
    resolver: {
      srv: () => Promise.reject(new Error('no SRV records')),
      addresses: async (name) => (await names[name]) ?? [],
    },
  });
  t.after(() => sources.stop());
  return { sources, told, nextChange: () => changed.promise };
}

test('the addresses of a trunk are known once its name is found, and forgotten with its last number', async (t) => {
  const { sources, told, nextChange } = sourcesWith(t, { 'sip.a.test': ['192.0.2.1', '192.0.2.2', '10.0.0.1'] });
  sources.change('a', null, trunk('sip.a.test'));
  sources.change('a', null, trunk('sip.a.test'));
  await nextChange();
  assert.deepEqual(
    [...told],
    [
      ['192.0.2.1', 'a'],
      ['192.0.2.2', 'a'],
    ],
  );
  assert.ok(sources.isFrom('a', trunk('sip.a.test'), '192.0.2.2'));
  assert.ok(!sources.isFrom('a', trunk('sip.a.test'), '10.0.0.1'), 'an address that is not public');
  assert.ok(!sources.isFrom('b', trunk('sip.a.test'), '192.0.2.1'), 'the trunk of another organization');
  sources.change('a', trunk('sip.a.test'), null);
  assert.equal(told.get('192.0.2.1'), 'a');
  sources.change('a', trunk('sip.a.test'), null);
  assert.equal(told.get('192.0.2.1'), null);
  assert.deepEqual(sources.all(), []);
});

test('an address of two organizations belongs to neither, until one of them leaves it', (t) => {
  const { sources, told } = sourcesWith(t, {});
  sources.change('a', null, trunk('192.0.2.1'));
  sources.change('b', null, trunk('192.0.2.1:5080'));
  assert.equal(told.get('192.0.2.1'), '192.0.2.1');
  sources.change('b', trunk('192.0.2.1:5080'), trunk('192.0.2.7'));
  assert.deepEqual([told.get('192.0.2.1'), told.get('192.0.2.7')], ['a', 'b']);
});

test("a name server that does not answer for one organization's names does not keep another's waiting for all of them", async (t) => {
  const never = Promise.withResolvers<string[]>();
  const { sources, told, nextChange } = sourcesWith(t, { 'slow.test': never.promise, 'sip.b.test': ['192.0.2.3'] });
  for (let port = 1; port <= 500; port += 1) sources.change('a', null, trunk(`slow.test:${port}`));
  sources.change('b', null, trunk('sip.b.test'));
  never.reject(new Error('no answer'));
  await nextChange();
  assert.equal(told.get('192.0.2.3'), 'b');
});

test('a source may send so many calls in one go and so many a second, and others are not told from it', () => {
  let nowMs = 0;
  const sources = createSources(
    (address) => address === '198.51.100.1',
    () => nowMs,
  );
  sources.set([
    ['192.0.2.1', 'a'],
    ['192.0.2.2', 'a'],
    ['192.0.2.3', 'b'],
  ]);
  const taken = (address: string, calls: number): number =>
    Array.from({ length: calls }, () => sources.admit(address)).filter((answer) => answer === 'taken').length;
  assert.equal(taken('192.0.2.1', 80) + taken('192.0.2.2', 80), 100);
  assert.equal(sources.admit('192.0.2.1'), 'too-many');
  assert.equal(taken('192.0.2.3', 80), 80);
  assert.equal(taken('198.51.100.1', 1), 1);
  assert.equal(sources.admit('203.0.113.9'), 'unknown');
  nowMs = 1000;
  assert.equal(taken('192.0.2.1', 80), 50);
  sources.set([['192.0.2.1', null]]);
  assert.equal(sources.admit('192.0.2.1'), 'unknown');
});
