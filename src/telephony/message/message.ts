/**
 * SIP messages (RFC 3261) as they were received or will be sent. SIP is written by hand in this folder and its neighbours, because the
 * libraries on npm are abandoned, made for browsers, or need a daemon of their own.
 */

/** A header line under its full name; the order of the lines is kept. */
export type Header = readonly [name: string, value: string];

type Parts = { headers: readonly Header[]; body: Buffer };
export type Request = Parts & { method: string; uri: string };
export type Response = Parts & { status: number; reason: string };
export type Message = Request | Response;

export const noBody = Buffer.alloc(0);

export const isRequest = (message: Message): message is Request => 'method' in message;

/** The names of compact forms (RFC 3261, section 7.3.3, and the registry of header fields). */
const compactForms: Readonly<Record<string, string>> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
};

const unusualCase: Readonly<Record<string, string>> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  'mime-version': 'MIME-Version',
  rack: 'RAck',
  rseq: 'RSeq',
  'www-authenticate': 'WWW-Authenticate',
};

const capitalised = (name: string): string => name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

/** The one spelling under which a header is kept: the full name with the usual capitals. */
export function fullName(name: string): string {
  const lower = name.toLowerCase();
  return compactForms[lower] ?? unusualCase[lower] ?? capitalised(lower);
}

/** The first value of a header. `name` is spelled as `fullName` spells it, here and below. */
export const headerOf = (message: Message, name: string): string | undefined =>
  message.headers.find(([own]) => own === name)?.[1];

/** The values of all lines of a header, each as it stands. */
export const headerLines = (message: Message, name: string): string[] =>
  message.headers.filter(([own]) => own === name).map(([, value]) => value);

/** The values of a header whose lines may each hold several, separated by commas. */
export const headerValues = (message: Message, name: string): string[] =>
  headerLines(message, name).flatMap((value) => splitOutside(value, ','));

/** Splits at a character that stands neither in a quoted string nor in angle brackets. Empty parts are left out. */
export function splitOutside(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let bracketed = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '<') bracketed = true;
    else if (character === '>') bracketed = false;
    else if (character === separator && !bracketed) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
