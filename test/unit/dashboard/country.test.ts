import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryOfZone } from '../../../src/dashboard/pages/campaigns/country.ts';

test('the country of a time zone is guessed where it leaves no doubt', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Calcutta', 'UTC', ''];
  assert.deepEqual(zones.map(countryOfZone), ['DE', 'US', 'IN', '', '']);
});
