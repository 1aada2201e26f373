import { parleyVersion } from '../src/base/version.ts';
import { buildSearchIndex } from '../src/http/docs/guides/search.ts';
import { groupsIn } from '../src/http/docs/guides/source.ts';
import type { Document } from '../src/http/docs/openapi-types.ts';
import { groupHref } from '../src/http/docs/page.ts';
import { openApiDocument } from '../src/http/openapi/document.ts';
import { describedRoutes } from '../src/http/routes.ts';
import { guidesOfCheckout } from '../src/main/guides.ts';

/** The index of the search at /docs, of the guides and of all operations that a server describes. */
export function docsSearchIndex(): Promise<string> {
  const texts = guidesOfCheckout();
  const document = openApiDocument(describedRoutes({ testClock: false }), parleyVersion) as unknown as Document;
  return buildSearchIndex({ texts, groups: groupsIn(texts), document, groupHref });
}
