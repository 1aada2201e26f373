/*
 * robots.txt according to RFC 9309, with the common extensions Sitemap and Crawl-delay. By hand, because the time that
 * the library robots-parser takes is proportional to pattern length times path length: one hostile file would block the
 * process for minutes. Here it is proportional to their sum.
 */

export type Rule = { allow: boolean; pattern: string };

export type RobotsRules = {
  rules: Rule[];
  /** Crawl delay: minimum time between two requests, or 0. */
  delayMs: number;
  sitemaps: string[];
};

/** RFC 9309, 2.5 requires reading at least 500 KiB. */
export const maxRobotsBytes = 512_000;
/** Limits that protect against generated files, which may be endless. */
const maxRules = 10_000;
const maxSitemaps = 100;

type Field = { field: string; value: string };
type Group = { agents: string[]; lines: Field[] };

/** Parses the rules that a robots.txt has for a crawler with this product token. */
export function parseRobots(text: string, token: string): RobotsRules {
  const lines = parseFields(text);
  const groups = groupFields(lines);
  const named = groups.filter(({ agents }) => agents.includes(token.toLowerCase()));
  const applicable = (named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.lines,
  );
  const delays = applicable
    .filter(({ field }) => field === 'crawl-delay')
    .map(({ value }) => Number(value))
    .filter((seconds) => seconds > 0);
  return {
    rules: applicable
      .filter(({ field, value }) => (field === 'allow' || field === 'disallow') && value !== '')
      .slice(0, maxRules)
      .map(({ field, value }) => ({ allow: field === 'allow', pattern: normalizePath(value) })),
    // Always a safe integer, whatever the file says, because it is stored as JSON.
    delayMs: Math.min(Math.ceil(Math.max(0, ...delays) * 1000), Number.MAX_SAFE_INTEGER),
    sitemaps: lines
      .filter(({ field, value }) => field === 'sitemap' && value !== '')
      .slice(0, maxSitemaps)
      .map(({ value }) => value),
  };
}

function parseFields(text: string): Field[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .flatMap((line) => {
      const [plain = ''] = line.split('#', 1);
      const colon = plain.indexOf(':');
      if (colon < 0) return [];
      return [{ field: plain.slice(0, colon).trim().toLowerCase(), value: plain.slice(colon + 1).trim() }];
    });
}

/** A group is one or more user-agent lines and the rules after them. Other fields (Sitemap) belong to no group. */
function groupFields(lines: readonly Field[]): Group[] {
  const groups: Group[] = [];
  let open = false;
  for (const line of lines) {
    if (line.field === 'user-agent') {
      if (!open) groups.push({ agents: [], lines: [] });
      open = true;
      groups.at(-1)!.agents.push(productTokenOf(line.value));
    } else if (['allow', 'disallow', 'crawl-delay'].includes(line.field)) {
      open = false;
      groups.at(-1)?.lines.push(line);
    }
  }
  return groups;
}

/** The product token without version, in lower case: `Parley/1.0` → `parley`. */
const productTokenOf = (value: string): string =>
  value.startsWith('*') ? '*' : /^[\w-]*/.exec(value)![0].toLowerCase();

/** The longest matching rule decides; of equally long ones, allow wins. Without a matching rule the page is allowed. */
export function isAllowed({ rules }: Pick<RobotsRules, 'rules'>, url: URL): boolean {
  const path = normalizePath(url.pathname + url.search);
  if (path === '/robots.txt') return true;
  let best: Rule | undefined;
  for (const rule of rules) {
    const longer = !best || rule.pattern.length > best.pattern.length;
    const permits = rule.allow && rule.pattern.length === best?.pattern.length;
    if ((longer || permits) && matches(rule.pattern, path)) best = rule;
  }
  return best?.allow ?? true;
}

/**
 * Matches a pattern with `*` (anything) and `$` (end). Each piece is searched after the one before it, without
 * backtracking.
 */
function matches(pattern: string, path: string): boolean {
  if (!/[*$]/.test(pattern)) return path.startsWith(pattern);
  const isWhole = pattern.endsWith('$');
  const pieces = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first, ...others] = pieces as [string, ...string[]];
  if (!path.startsWith(first)) return false;
  if (isWhole && others.length === 0) return path === first;
  const last = isWhole ? others.pop()! : '';
  let at = first.length;
  for (const piece of others) {
    const found = path.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/**
 * Normalizes percent-encoding so that patterns and paths compare (RFC 9309, 2.2.2): decodes unreserved characters only.
 */
const normalizePath = (path: string): string =>
  path
    .replaceAll(/[^\0-\x7f]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
