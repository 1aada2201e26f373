import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { startDashboard } from './dashboard.ts';
import { testEachPage } from './each-page.ts';
import { fillWorld, plainTexts } from './world.ts';

const dashboard = await startDashboard();
const world = await fillWorld(dashboard.server, plainTexts, after);

type Shown = { at: string; text: string; title: string; place: 'facts' | 'table' | 'exact' | 'page' };

/** Every instant of the page, with where it stands. */
const instants = `[...document.querySelectorAll('main time')].map((time) => ({
  at: time.getAttribute('datetime'),
  text: time.textContent,
  title: time.title,
  place: time.closest('dl')
    ? 'facts'
    : time.closest('[aria-label=Timeline], [aria-label=Attempts]')
      ? 'exact'
      : time.closest('td, th')
        ? 'table'
        : 'page',
}))`;

const zone = /\b(?:UTC|GMT)\b/;
const second = /\d\d:\d\d:\d\d/;

function faultOf({ at, text, title, place }: Shown): string | undefined {
  if (!at.endsWith('Z')) return 'is no instant of UTC';
  if (!zone.test(`${text} ${title}`)) return 'names no zone';
  if (place === 'facts' || place === 'exact') return second.test(text) ? undefined : 'has no seconds';
  return place === 'table' && zone.test(text) ? 'repeats the zone of its column' : undefined;
}

describe('instants name their zone, once where all of a list are in one, and have seconds where they are compared', () => {
  testEachPage(dashboard, world, async (page) => {
    const shown = await page.evaluate<Shown[]>(instants);
    const faults = shown.flatMap((each) => {
      const fault = faultOf(each);
      return fault === undefined ? [] : [`“${each.text}” ${fault}`];
    });
    assert.deepEqual(faults, []);
  });
});
