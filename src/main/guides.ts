import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { KeepSearchIndex } from '../http/docs/guides/search.ts';
import type { GuideTexts } from '../http/docs/guides/source.ts';
import { keptText } from './checkout-cache.ts';

/** The asset names under which `.build/package.ts` embeds the guides and the index of their search in the executable. */
const assets = { texts: 'guides.json', index: 'docs-search.json' } as const;

/** The texts of `docs/`: from the packaged executable, or from the checkout. */
export const loadGuides = (): GuideTexts =>
  isSea() ? (JSON.parse(getAsset(assets.texts, 'utf8')) as GuideTexts) : guidesOfCheckout();

/** The executable holds the index. A checkout builds it once, when a page of `/docs` is first opened, and again when a page has changed. */
export const keepSearchIndex: KeepSearchIndex = (key, build) =>
  isSea() ? Promise.resolve(getAsset(assets.index, 'utf8')) : keptText(`docs-search-${key}.json`, build);

/** Reads all pages, pictures and recorded examples of `docs/` of this checkout. */
export function guidesOfCheckout(): GuideTexts {
  const docs = fileURLToPath(new URL('../../docs', import.meta.url));
  const paths = globSync('**/*.{md,svg,generated.json}', { cwd: docs }).map((path) => path.replaceAll('\\', '/'));
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(docs, path), 'utf8')]));
}
