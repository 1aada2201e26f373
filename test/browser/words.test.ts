import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPage, startDashboard, type Visit, watchRequests } from './dashboard.ts';
import { withTabs } from './fits.ts';
import { fillWorld, pagesOf, plainTexts } from './world.ts';

const { server, visit } = await startDashboard();
const world = await fillWorld(server, plainTexts, after);

/** What the page says, its names for screen readers among it. Texts of others, code and addresses stand as they are. */
const said = `(() => {
  const asIs = 'noscript, pre, code, kbd, [type=url], .passages, .now-list';
  const texts = [];
  const walk = (node) => {
    if (node.nodeType === 3) texts.push(node.data);
    else if (node.nodeType === 1 && !node.matches(asIs)) {
      for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title'])
        if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
      node.childNodes.forEach(walk);
    }
  };
  walk(document.body);
  return texts;
})()`;

/** \`retry_gap_min\` or \`maxCallDurationMs\`, and not \`Europe/Berlin\`, \`pbx_1@example.com\` or a name of a product. */
const fieldName = /(?<![\w/@.-])(?:[a-z]+(?:_[a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)(?![\w/@.-])/g;

describe('no page names a field as the interface does', () => {
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
      const texts = await page.evaluate<string[]>(said);
      const found = texts.flatMap((text) => [...text.matchAll(fieldName)].map(([name]) => `${name}: ${text.trim()}`));
      assert.deepEqual(found, []);
    });
  }
});
