import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** More than any page of this run has. */
const maxTabs = 150;

type Focused = { name: string; role: string; outlined: boolean };

/** The focused element, as a screen reader names it. */
export const focused = (page: Page): Promise<Focused> =>
  page.evaluate<Focused>(`(() => {
    const { activeElement: element } = document;
    const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 10));
    return {
      name: label.trim(),
      role: element.getAttribute('role') ?? element.localName,
      outlined: (outlineStyle !== 'none' && outlineWidth !== '0px') && (element.contains(seen) || seen?.contains(element)),
    };
  })()`);

/** Presses Tab until something of that name has the focus; what has it on the way must be seen to have it. */
export async function tabTo(page: Page, name: string): Promise<void> {
  if ((await focused(page)).name === name) return;
  for (let presses = 0; presses < maxTabs; presses++) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now.role !== 'body') assert.ok(now.outlined, `the focus on “${now.name}” cannot be seen`);
    if (now.name === name) return;
  }
  throw new Error(`Tab does not lead to “${name}”`);
}

export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}
