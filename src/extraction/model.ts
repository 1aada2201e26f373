/** The supported document formats. */
export type Format = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'csv' | 'html' | 'md' | 'txt';

/**
 * One block of a parsed document; every parser returns blocks in reading order. Heading level 1 is the highest. A list
 * has one item per line. A table's first row is its header. `page` counts from 1; it is null in formats without pages
 * (PDF pages and slides have them).
 */
export type Block =
  | { kind: 'heading'; level: number; text: string; page: number | null }
  | { kind: 'paragraph' | 'list' | 'code'; text: string; page: number | null }
  | { kind: 'table'; rows: string[][]; page: number | null };

/** A passage for search: never empty, at most `maxChunkChars` (chunking/chunker.ts) long. */
export type Chunk = {
  text: string;
  /** The enclosing headings, highest first: "Guide › Returns". */
  heading: string | null;
  /** The page on which the passage begins. */
  page: number | null;
};

/** `title` is the one the caller passed, else the document's own. `pageMetadata` is null except for HTML. */
export type ExtractedDocument = {
  format: Format;
  title: string | null;
  text: string;
  chunks: Chunk[];
  pageMetadata: PageMetadata | null;
};

/** Parts of an HTML page that a crawler needs. Links are absolute, without fragment or duplicates, in document order. */
export type PageMetadata = { links: string[]; canonical: string | null; noindex: boolean; nofollow: boolean };

/** File name and content type (an HTTP header) are hints for format detection. `url` is the base of relative links. */
export type ExtractInput = { bytes: Uint8Array; name?: string; contentType?: string; url?: string; title?: string };
