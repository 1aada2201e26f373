import assert from 'node:assert/strict';
import { after, describe } from 'node:test';
import { startDashboard } from './dashboard.ts';
import { testEachPage } from './each-page.ts';
import { fillWorld, plainTexts } from './world.ts';

const dashboard = await startDashboard();
const world = await fillWorld(dashboard.server, plainTexts, after);

/** All texts of the page, also the names for screen readers, without texts of other people, code and addresses. */
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
  testEachPage(dashboard, world, async (page) => {
    const texts = await page.evaluate<string[]>(said);
    const found = texts.flatMap((text) => [...text.matchAll(fieldName)].map(([name]) => `${name}: ${text.trim()}`));
    assert.deepEqual(found, []);
  });
});
