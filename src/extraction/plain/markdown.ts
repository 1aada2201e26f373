import { parse } from 'marked';
import { ExtractionError } from '../errors.ts';
import { parseHtml, type ParsedPage } from '../html/parse.ts';
import type { ExtractionLimits } from '../limits.ts';

/** YAML front matter, which static site generators put between two lines of dashes. */
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** Parses Markdown (CommonMark with GitHub's tables) by converting it to HTML, which it may contain anyway. */
export function parseMarkdown(text: string, limits: ExtractionLimits): ParsedPage {
  const matter = frontMatter.exec(text);
  const title = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(matter?.[1] ?? '')?.[2] ?? null;
  const page = parseHtml(toHtml(matter ? text.slice(matter[0].length) : text), limits);
  return { ...page, title: title ?? page.title };
}

function toHtml(text: string): string {
  try {
    return parse(text, { async: false, gfm: true });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause; // a RangeError is a stack overflow of the recursive parser
    throw new ExtractionError('The text nests its lists or quotations too deeply to be read.', { cause });
  }
}
