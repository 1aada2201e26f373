import { parse } from 'marked';
import type { Limits } from '../blocks/block-collector.ts';
import { ExtractionError } from '../errors.ts';
import { parseHtml, type Page } from '../html/parse.ts';

/** What many tools put before a Markdown text: YAML between two lines of dashes. */
const frontMatter = /^\uFEFF?---[ \t]*\r?\n([^]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** Markdown (CommonMark with GitHub's tables), by way of the HTML that it stands for, which it may contain anyway. */
export function parseMarkdown(text: string, limits: Limits): Page {
  const matter = frontMatter.exec(text);
  const stated = /^title:[ \t]*(["']?)(.+?)\1[ \t]*$/m.exec(matter?.[1] ?? '')?.[2] ?? null;
  const page = parseHtml(htmlOf(matter ? text.slice(matter[0].length) : text), limits);
  return { ...page, title: stated ?? page.title };
}

function htmlOf(text: string): string {
  try {
    return parse(text, { async: false, gfm: true });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new ExtractionError('The text nests its lists or quotations too deeply to be read.', { cause });
  }
}
