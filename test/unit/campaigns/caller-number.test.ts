import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallerNumber, chooseNumber, likeness } from '../../../src/features/campaigns/dialing/numbers.ts';

const now = 1_000_000;
const pausedUntil = (probeAt: number): CallerNumber['carrier'] => ({
  pause: { pausedAt: 0, probeAt, probes: 0, reason: '' },
  resumptions: 0,
});
const numberWith = (
  id: string,
  over: Partial<CallerNumber['number']> = {},
  carrier = { pause: null, resumptions: 0 } as CallerNumber['carrier'],
): CallerNumber => ({
  number: {
    id,
    phone: `+4930${id}`,
    status: 'active',
    carrier: null,
    maxConcurrent: 2,
    maxCps: 1,
    inFlight: 0,
    paceAt: 0,
    ...over,
  },
  carrier,
});
const chosen = (numbers: CallerNumber[], used: Record<string, number> = {}, called: string | null = null) =>
  chooseNumber(numbers, { now, used, called })?.number.id;

test('the number used least goes first, then the order given', () => {
  assert.equal(chosen([numberWith('1'), numberWith('2')]), '1');
  assert.equal(chosen([numberWith('1'), numberWith('2')], { 1: 1 }), '2');
  assert.equal(chosen([]), undefined);
});

test('full, paced and paused numbers step aside; a paused one whose probe is due does not', () => {
  const free = numberWith('9');
  assert.equal(chosen([numberWith('1', { inFlight: 2 }), free]), '9');
  assert.equal(chosen([numberWith('1', { paceAt: now + 1 }), free]), '9');
  assert.equal(chosen([numberWith('1', {}, pausedUntil(now + 1)), free]), '9');
  assert.equal(chosen([numberWith('1', { status: 'released' }), free]), '9');
  assert.equal(chosen([numberWith('1', {}, pausedUntil(now)), free]), '1');
  assert.equal(
    chosen([numberWith('1', {}, pausedUntil(now + 1)), numberWith('2', { inFlight: 2 })]),
    '2',
    'a line comes back sooner',
  );
});

test('likeness counts from the country on', () => {
  assert.equal(likeness('+4930123', '+4930456'), 5);
  assert.equal(likeness('+4930123', '+4940456'), 3);
  assert.equal(likeness('+4330123', '+4930456'), 0);
  assert.equal(likeness('+12125550100', '+13105550100'), 2);
  const numbers = [numberWith('1', { phone: '+49401234567' }), numberWith('2', { phone: '+49301234567' })];
  assert.equal(chosen(numbers, { 2: 5 }, '+49309999999'), '2');
});
