import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPage, startDashboard, type Visit, watchRequests } from './dashboard.ts';
import { withTabs } from './fits.ts';
import { fillWorld, pagesOf, plainTexts } from './world.ts';

const { server, visit } = await startDashboard();
const world = await fillWorld(server, plainTexts, after);

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
  let visited: Visit;
  let settled: () => Promise<void>;
  before(async () => {
    visited = await visit({ path: '/account' });
    settled = watchRequests(visited.page);
  });
  for (const path of [...pagesOf(world), '/analytics'].flatMap(withTabs)) {
    test(path.replace(/[\da-f]{8}-[-\da-f]+/, '{id}'), async () => {
      const { page } = visited;
      await openPage(page, server.url + path);
      await settled();
      const shown = await page.evaluate<Shown[]>(instants);
      const faults = shown.flatMap((each) => {
        const fault = faultOf(each);
        return fault === undefined ? [] : [`“${each.text}” ${fault}`];
      });
      assert.deepEqual(faults, []);
    });
  }
});
