import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import type { GuideTexts } from '../http/docs/guides/source.ts';

/** The asset name under which `.build/package.ts` embeds the guides in the executable. */
const assetName = 'guides.json';

/** The texts of `docs/`: from the packaged executable, or from the checkout. */
export const loadGuides = (): GuideTexts =>
  isSea() ? (JSON.parse(getAsset(assetName, 'utf8')) as GuideTexts) : guidesOfCheckout();

/** Reads all pages of `docs/` of this checkout. */
export function guidesOfCheckout(): GuideTexts {
  const docs = fileURLToPath(new URL('../../docs', import.meta.url));
  const paths = globSync('**/*.md', { cwd: docs }).map((path) => path.replaceAll('\\', '/'));
  return Object.fromEntries(paths.toSorted().map((path) => [path, readFileSync(join(docs, path), 'utf8')]));
}
