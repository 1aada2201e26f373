import { hash } from 'node:crypto';
import MiniSearch from 'minisearch';
import { usedVocabularies } from '../codes/codes.ts';
import { vocabularyId } from '../codes/section.ts';
import type { Document } from '../openapi-types.ts';
import { plainMarked } from './render.ts';
import { type GuideGroup, type GuideTexts, sectionsOf } from './source.ts';

/** A place that a search finds: a section of a guide, an operation, or a table of codes. */
export type Found = { title: string; where: string; href: string; start: string };

/** More would not be read. */
const maxFound = 20;
/** Characters of a text that are shown. */
const startLength = 180;
export const maxQueryLength = 200;

type Place = Found & { id: number; text: string };

/** Places that one step adds to the index: some milliseconds, so that making it delays no request. */
const chunkSize = 10;

const options = {
  fields: ['title', 'where', 'text'],
  searchOptions: { boost: { title: 3, where: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' as const },
};

/** The index as a text: making it reads every page (a second), opening it takes a tenth of that. */
type StoredIndex = { found: Found[]; index: string };

/** Gives the stored index for this key, or builds and keeps it. The key changes with the pages. */
export type KeepSearchIndex = (key: string, build: () => Promise<string>) => Promise<string>;

export type SearchSources = {
  texts: GuideTexts;
  groups: readonly GuideGroup[];
  document: Document;
  groupHref: (tag: string) => string;
};

/** Makes an index of guides, operations and codes, some thousand short texts. */
export async function buildSearchIndex(sources: SearchSources): Promise<string> {
  const places = placesIn(sources);
  const index = new MiniSearch<Place>(options);
  await index.addAllAsync(places, { chunkSize });
  const found = places.map(({ title, where, href, start }): Found => ({ title, where, href, start }));
  return JSON.stringify({ found, index: JSON.stringify(index) } satisfies StoredIndex);
}

/** Opens the stored index and resolves with a function that searches it. */
export async function openSearch(sources: SearchSources, keep: KeepSearchIndex): Promise<(query: string) => Found[]> {
  const key = hash('sha256', JSON.stringify([sources.texts, sources.document.paths, codePlaces(sources)])).slice(0, 16);
  const stored = JSON.parse(await keep(key, () => buildSearchIndex(sources))) as StoredIndex;
  const index = await MiniSearch.loadJSONAsync<Place>(stored.index, options);
  return (query) =>
    index
      .search(query)
      .slice(0, maxFound)
      .map(({ id }) => stored.found[id as number]!);
}

const placesIn = ({ texts, groups, document, groupHref }: SearchSources): Place[] =>
  [
    ...groups
      .flatMap(({ guides }) => guides)
      .flatMap(({ path, slug, title }) =>
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
    ...codePlaces({ document, groupHref }),
  ].map((place, id) => ({ ...place, id, start: startOf(place.text) }));

/** The tables of codes, each where it appears first. */
function codePlaces({ document, groupHref }: Pick<SearchSources, 'document' | 'groupHref'>) {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const places = document.tags.flatMap(({ name: tag }) => {
    const ofTag = operations.filter(({ tags }) => tags.includes(tag));
    return usedVocabularies(document, ofTag).map(({ vocabulary: { name, meanings }, fields }) => ({
      title: name,
      where: `Codes of ${fields.join(', ')}`,
      href: `${groupHref(tag)}#${vocabularyId(name)}`,
      text: Object.entries(meanings)
        .map(([value, meaning]) => `${value}: ${meaning}.`)
        .join(' '),
    }));
  });
  return places.filter(({ title }, at) => places.findIndex((one) => one.title === title) === at);
}

function startOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= startLength ? line : `${line.slice(0, startLength).replace(/\s\S*$/, '')} …`;
}
