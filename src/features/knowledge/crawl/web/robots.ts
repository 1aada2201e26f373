/**
 * robots.txt as RFC 9309 has it, with Sitemap and Crawl-delay, which it leaves to others. By hand: robots-parser, the library for it,
 * takes time in proportion to pattern times path, so that one hostile file would stop the process for minutes; this takes their sum.
 */
export type Rule = { allow: boolean; pattern: string };

export type Robots = {
  rules: Rule[];
  /** Pause between two requests; 0 for none. */
  delayMs: number;
  sitemaps: string[];
};

/** RFC 9309, 2.5: at least 500 KiB must be read. */
export const maxRobotsBytes = 512_000;
/** More rules are nobody's intention. */
const maxRules = 10_000;
const maxSitemaps = 100;

type Line = { field: string; value: string };
type Group = { agents: string[]; lines: Line[] };

/** Reads what a robots.txt says to a crawler of that product token. */
export function parseRobots(text: string, token: string): Robots {
  const lines = linesOf(text);
  const groups = groupsOf(lines);
  const named = groups.filter(({ agents }) => agents.includes(token.toLowerCase()));
  const ours = (named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    (group) => group.lines,
  );
  const delays = ours
    .filter(({ field }) => field === 'crawl-delay')
    .map(({ value }) => Number(value))
    .filter((seconds) => seconds > 0);
  return {
    rules: ours
      .filter(({ field, value }) => (field === 'allow' || field === 'disallow') && value !== '')
      .slice(0, maxRules)
      .map(({ field, value }) => ({ allow: field === 'allow', pattern: normalized(value) })),
    // A whole number that JSON can hold, whatever is written there.
    delayMs: Math.min(Math.ceil(Math.max(0, ...delays) * 1000), Number.MAX_SAFE_INTEGER),
    sitemaps: lines
      .filter(({ field, value }) => field === 'sitemap' && value !== '')
      .slice(0, maxSitemaps)
      .map(({ value }) => value),
  };
}

function linesOf(text: string): Line[] {
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

/** A group is a run of user-agent lines with the rules after it. Other fields (Sitemap) stand outside of groups. */
function groupsOf(lines: readonly Line[]): Group[] {
  const groups: Group[] = [];
  let open = false;
  for (const line of lines) {
    if (line.field === 'user-agent') {
      if (!open) groups.push({ agents: [], lines: [] });
      open = true;
      groups.at(-1)!.agents.push(tokenOf(line.value));
    } else if (['allow', 'disallow', 'crawl-delay'].includes(line.field)) {
      open = false;
      groups.at(-1)?.lines.push(line);
    }
  }
  return groups;
}

/** `Parley/1.0` is about `parley`. */
const tokenOf = (value: string): string => (value.startsWith('*') ? '*' : /^[\w-]*/.exec(value)![0].toLowerCase());

/** The longest rule that matches decides, of two equally long ones the one that allows; without any the page is allowed. */
export function isAllowed({ rules }: Pick<Robots, 'rules'>, url: URL): boolean {
  const path = normalized(url.pathname + url.search);
  if (path === '/robots.txt') return true;
  let best: Rule | undefined;
  for (const rule of rules) {
    const longer = !best || rule.pattern.length > best.pattern.length;
    const permits = rule.allow && rule.pattern.length === best?.pattern.length;
    if ((longer || permits) && matches(rule.pattern, path)) best = rule;
  }
  return best?.allow ?? true;
}

/** `*` stands for anything and `$` for the end. Each piece is looked for behind the one before it, so nothing is read twice. */
function matches(pattern: string, path: string): boolean {
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

/** Both sides in one spelling (RFC 9309, 2.2.2): what need not be escaped is not, everything else is, in upper case. */
const normalized = (path: string): string =>
  path
    .replaceAll(/[^\0-\x7f]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
