import { hash } from 'node:crypto';
import type { JsonObject } from '../../../base/json.ts';
import { shortened } from '../../../base/shorten.ts';
import type { SourceType, WorkStatus } from '../bases/knowledge-base.ts';

/** The unit that is indexed and cited: a text, a file, an upserted document or a page of a site. */
export type Document = {
  id: string;
  orgId: string;
  baseId: string;
  sourceId: string;
  sourceType: SourceType;
  /** The id the caller chose, unique in the organization; otherwise the same as `id`. */
  docId: string;
  /** Title or file name, for display. */
  name: string;
  /**
   * The URL cited with passages: for a page, its own URL; for an upserted document, the submitted URL. A newly submitted URL replaces this
   * one only once its page has been read, because until then the old text stays searchable.
   */
  url: string | null;
  /** Null until it has been extracted or fetched. */
  text: string | null;
  metadata: JsonObject;
  status: WorkStatus;
  error: string | null;
  /** Incremented whenever the content changes, so that a job notices that it read an older version. */
  version: number;
  createdAt: number;
  updatedAt: number;
};

/** A document without its text, which can be megabytes. */
export type DocumentWithoutText = Omit<Document, 'text'>;

/** Digest of name and text, compared to tell whether a page has changed. */
export const contentDigest = ({ name, text }: Pick<Document, 'name' | 'text'>): string =>
  hash('sha256', `${name}\n${text}`);

export const maxDocIdLength = 200;
const maxNameLength = 500;

/** The first non-blank string of the candidates, on one line and shortened to 500 characters. */
export function nameFrom(...candidates: ReadonlyArray<unknown>): string {
  const name = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return shortened(((name as string | undefined) ?? '').trim().replaceAll(/\s+/g, ' '), maxNameLength);
}

/** The title that the caller set in the metadata, if it is a string. */
export function titleIn(metadata: JsonObject): string | undefined {
  const title = metadata.parsed()['title'];
  return typeof title === 'string' ? title : undefined;
}
