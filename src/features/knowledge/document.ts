import type { SourceType, WorkStatus } from './knowledge-base.ts';

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

export const maxDocIdLength = 200;
const maxNameLength = 500;

const shortened = (text: string): string =>
  text.length > maxNameLength ? `${text.slice(0, maxNameLength - 1)}…` : text;

/** The first of these that says something, shortened for a list. */
export function nameFrom(...candidates: ReadonlyArray<unknown>): string {
  const name = candidates.find((candidate) => typeof candidate === 'string' && candidate.trim() !== '');
  return shortened(((name as string | undefined) ?? '').trim().replaceAll(/\s+/g, ' '));
}
