import MiniSearch from 'minisearch';
import type { Document } from '../openapi-types.ts';
import { plainMarked } from './render.ts';
import { type GuideGroup, type GuideTexts, sectionsOf } from './source.ts';

/** A place that a search finds: a section of a guide, or an operation. */
export type Found = { title: string; where: string; href: string; start: string };

/** More would not be read. */
const maxFound = 20;
/** Characters of a text that are shown. */
const startLength = 180;
export const maxQueryLength = 200;

type Place = Found & { id: number; text: string };

/** Places that one step adds to the index: some milliseconds, so that making it (a quarter of a second in all) delays no request. */
const chunkSize = 10;

/** Makes an index of guides and operations, some thousand short texts, and resolves with a function that searches it. */
export async function createDocsSearch(
  texts: GuideTexts,
  groups: readonly GuideGroup[],
  document: Document,
  groupHref: (tag: string) => string,
): Promise<(query: string) => Found[]> {
  const guides = groups.flatMap(({ guides: pages }) => pages);
  const places = [
    ...guides.flatMap(({ path, slug, title }) =>
      sectionsOf(plainMarked, texts[path]!).map(({ heading, anchor, text }) => ({
        title: anchor === '' ? title : heading,
        where: title,
        href: `/docs/guides/${slug}${anchor === '' ? '' : `#${anchor}`}`,
        text,
      })),
    ),
    ...Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId, summary, description = '', tags }]) => ({
        title: summary,
        where: `${method.toUpperCase()} ${path}`,
        href: `${groupHref(tags[0]!)}#${operationId}`,
        text: `${operationId} ${path} ${description}`,
      })),
    ),
  ].map((place, id): Place => ({ ...place, id, start: startOf(place.text) }));
  const index = new MiniSearch<Place>({
    fields: ['title', 'where', 'text'],
    searchOptions: { boost: { title: 3, where: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  });
  await index.addAllAsync(places, { chunkSize });
  return (query) =>
    index
      .search(query)
      .slice(0, maxFound)
      .map(({ id }) => places[id as number]!);
}

function startOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= startLength ? line : `${line.slice(0, startLength).replace(/\s\S*$/, '')} …`;
}
