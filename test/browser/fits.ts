import type { Page } from 'playwright-core';

/** The widths that people look at, from a small phone to a large screen. */
export const widths = [320, 390, 768, 1440, 1920] as const;

const tabs: Readonly<Record<string, readonly string[]>> = {
  campaigns: ['contacts', 'settings', 'history'],
  agents: ['settings', 'knowledge', 'webhooks', 'versions'],
};

/** The page of one campaign or agent, with each of its tabs; any other page alone. */
export function withTabs(path: string): string[] {
  const [, kind = ''] = /^\/(\w+)\/[\da-f]{8}-[-\da-f]+$/.exec(path) ?? [];
  return [path, ...(tabs[kind] ?? []).map((tab) => `${path}?tab=${tab}`)];
}

/** Sets the size of the text as a person does in the browser's settings: `percent` of the usual one. */
export const setTextSize = (page: Page, percent: number): Promise<unknown> =>
  page.evaluate(`document.documentElement.style.fontSize = '${percent}%'`);

/**
 * What does not fit the window: a page or a list that scrolls sideways, texts that end beyond the window or beyond a box that hides what is
 * too wide, words that run from top to bottom, and a heading that does not begin at the top.
 */
export const faultsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(script);

const script = `(async () => {
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done))); // has been drawn in its present size
  const faults = [];
  const tooWide = document.documentElement.scrollWidth - innerWidth;
  if (tooWide > 0) faults.push('scrolls sideways by ' + tooWide + ' px');
  const heading = document.querySelector('main:not(.alone) .page-head');
  const banner = document.querySelector('.banner');
  if (heading && banner) {
    const gap = heading.getBoundingClientRect().top - banner.getBoundingClientRect().bottom;
    if (gap > 100) faults.push('the heading begins ' + Math.round(gap) + ' px below the banner');
  }
  for (const frame of document.querySelectorAll('.table-frame')) {
    const hidden = frame.scrollWidth - frame.clientWidth;
    if (hidden > 1 && !frame.closest('figure, .visually-hidden'))
      faults.push('hides ' + hidden + ' px of ' + frame.textContent.trim().slice(0, 40));
  }
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.visually-hidden, svg, [hidden], .skip')) continue;
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (texts.length === 0 || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(element);
    const box = range.getBoundingClientRect();
    if (box.width <= 1) continue;
    const name = element.tagName + '.' + element.className + ' ' + element.textContent.trim().slice(0, 40);
    const sizePx = parseFloat(getComputedStyle(element).fontSize);
    if (element.textContent.trim().length > 6 && box.width < 2 * sizePx && box.height > 4 * sizePx)
      faults.push('runs from top to bottom: ' + name);
    let holder = element;
    while (holder && !/auto|scroll|hidden|clip/.test(getComputedStyle(holder).overflowX)) holder = holder.parentElement;
    if (holder && /auto|scroll/.test(getComputedStyle(holder).overflowX)) continue;
    if (holder && getComputedStyle(holder).textOverflow === 'ellipsis') continue;
    if (holder && holder.getBoundingClientRect().width <= 1) continue; // for screen readers
    const edge = holder ? holder.getBoundingClientRect() : { left: 0, right: innerWidth };
    if (box.right > edge.right + 1 || box.left < edge.left - 1) faults.push('cut: ' + name);
  }
  return [...new Set(faults)];
})()`;
