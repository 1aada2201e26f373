import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aheadOf } from '../../../src/dashboard/pages/overview/ahead.ts';

const now = Date.parse('2026-03-02T09:00:00Z');
const at = (hours: number): string => new Date(now + hours * 3_600_000).toISOString();

const aRunning = (id: string) => ({
  id,
  name: id,
  status: 'active',
  executionStatus: 'running',
  contactStats: { pending: 60 },
});
type Times = Partial<Record<'opens_at' | 'closes_at' | 'finishes_at', string>>;
const anOutlook = (id: string, times: Times) =>
  [id, { opens_at: null, closes_at: null, finishes_at: null, ...times }] as const;
const told = (...[campaigns, outlooks]: [Parameters<typeof aheadOf>[0], ReadonlyArray<ReturnType<typeof anOutlook>>]) =>
  aheadOf(campaigns, new Map(outlooks), now).map(({ id, what, at: when }) => [id, what, when]);

test('what campaigns that run do within a day is told in order; what is later, or after the finish, is not', () => {
  const outlooks = [
    anOutlook('nights', { opens_at: at(13), finishes_at: at(30) }),
    anOutlook('days', { closes_at: at(8), opens_at: at(24), finishes_at: at(200) }),
    anOutlook('ends', { closes_at: at(8), opens_at: at(24), finishes_at: at(2) }),
    anOutlook('later', { closes_at: at(25) }),
  ];
  assert.deepEqual(told(['nights', 'days', 'ends', 'later', 'unknown'].map(aRunning), outlooks), [
    ['ends', 'finishes', at(2)],
    ['days', 'closes', at(8)],
    ['nights', 'opens', at(13)],
    ['days', 'opens', at(24)],
  ]);
});

test('campaigns that are paused, drafts or over do nothing', () => {
  const outlooks = [anOutlook('one', { opens_at: at(1) })];
  const paused = { ...aRunning('one'), executionStatus: 'paused' };
  assert.deepEqual(told([paused, { ...aRunning('one'), status: 'draft' }], outlooks), []);
});
