import { hash } from 'node:crypto';
import { shortened } from '../../../base/shorten.ts';
import type { SourceType, WorkStatus } from '../bases/knowledge-base.ts';

/** What passages are found in: a text, a file, an upserted document, or a page of a site (interface, Document). */
export type Document = {
  id: string;
  orgId: string;
  baseId: string;
  sourceId: string;
  sourceType: SourceType;
  /** The caller's name for it, unique in the organization; else its id. */
  docId: string;
  /** Title or file name, for people. */
  name: string;
  /** A page's own; of an upserted document the one that was given, which passages are cited with once it was read. */
  url: string | null;
  /** Null until it is known. */
  text: string | null;
  metadata: Record<string, unknown>;
  status: WorkStatus;
  error: string | null;
  /** Counts the changes of what it says. */
  version: number;
  createdAt: number;
  updatedAt: number;
};

/** What is known of a document but for what it says, which may be long. */
export type DocumentFacts = Omit<Document, 'text'>;

/** Of what a document says, by which it is seen whether it says something else now. */
export const contentDigest = ({ name, text }: Pick<Document, 'name' | 'text'>): string =>
  hash('sha256', `${name}\n${text}`);

export const maxDocIdLength = 200;
const maxNameLength = 500;

/** The first of these that says something, shortened for a list. */
export function nameFrom(...candidates: ReadonlyArray<unknown>): string {
  const name = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return shortened(((name as string | undefined) ?? '').trim().replaceAll(/\s+/g, ' '), maxNameLength);
}
