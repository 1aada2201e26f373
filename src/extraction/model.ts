/** The formats that sources may have (contract, section 10). */
export type Format = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'csv' | 'html' | 'md' | 'txt';

/**
 * What every parser makes of a document, in reading order. `level` counts from 1, the highest. A list's text has one item a
 * line. A table's first row names its columns. `page` counts from 1 and is null but in paged formats (PDF pages, slides).
 */
export type Block =
  | { kind: 'heading'; level: number; text: string; page: number | null }
  | { kind: 'paragraph' | 'list' | 'code'; text: string; page: number | null }
  | { kind: 'table'; rows: string[][]; page: number | null };

/** A passage that can be found by itself: at most `maxChunkChars` (chunker.ts) long, never empty. */
export type Chunk = {
  text: string;
  /** The headings it stands under, from the highest: "Guide › Returns". */
  heading: string | null;
  /** Where it begins. */
  page: number | null;
};

/** What became of some bytes. `title` is the document's own, or the one given. */
export type Extracted = { format: Format; title: string | null; text: string; chunks: Chunk[]; page: PageFacts | null };

/** Of an HTML page, for the crawler: links absolute, without fragment, each once, in order of appearance. */
export type PageFacts = { links: string[]; canonical: string | null; noindex: boolean; nofollow: boolean };

/** `name` is a file's, `contentType` the header's; both are hints. `url` is what relative links are resolved against. */
export type ExtractInput = { bytes: Uint8Array; name?: string; contentType?: string; url?: string; title?: string };
