import { parseAddress, tagOf } from './address.ts';
import {
  fullName,
  type Header,
  headerLines,
  headerOf,
  headerValues,
  type Message,
  type Request,
  type Response,
} from './message.ts';
import { parseVia } from './via.ts';

/** Larger messages are refused before they are read; no trunk sends a tenth of it. */
export const maxMessageBytes = 65_535;
const maxHeaderBytes = 32_768;
const maxHeaderLines = 256;
const maxLineChars = 8192;
const maxCSeq = 2 ** 31 - 1;

/** Why bytes are no SIP message, in a few words for the log. */
export type ParseFault = { fault: string };
export type Parsed = Message | ParseFault;

export const isFault = (parsed: Parsed): parsed is ParseFault => 'fault' in parsed;

class Fault extends Error {}

/**
 * Reads one whole message. In a datagram, bytes behind `Content-Length` are ignored and a missing length means the rest (RFC 3261, section
 * 18.3). Checks the headers without which no transaction can be found; other headers are kept as they are.
 */
export function parseMessage(bytes: Buffer): Parsed {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

function parse(bytes: Buffer): Message {
  if (bytes.length > maxMessageBytes) throw new Fault('too long');
  const { head, bodyAt } = splitHead(bytes);
  const [startLine = '', ...lines] = head;
  const headers = lines.map(parseHeader);
  const message: Message = { ...parseStartLine(startLine), headers, body: bytes.subarray(bodyAt) };
  const length = contentLength(headers);
  if (length !== undefined && length > message.body.length) throw new Fault('the body is shorter than Content-Length');
  checkHeaders(message);
  return { ...message, body: Buffer.from(message.body.subarray(0, length)) };
}

/** Index of the byte behind the empty line that ends the headers; -1 when there is none yet. */
export function endOfHead(bytes: Buffer, from = 0): number {
  const end = bytes.indexOf('\r\n\r\n', from);
  return end < 0 ? -1 : end + 4;
}

/** The start line and the header lines, with folded lines joined. */
function splitHead(bytes: Buffer): { head: string[]; bodyAt: number } {
  const end = endOfHead(bytes);
  if (end < 0) throw new Fault('the headers do not end');
  if (end > maxHeaderBytes) throw new Fault('the headers are too long');
  const text = bytes.toString('utf8', 0, end - 4);
  const [startLine = '', ...lines] = text.split('\r\n');
  const unfolded: string[] = [];
  for (const line of lines) {
    if (!/^[ \t]/.test(line)) unfolded.push(line);
    else if (unfolded.length === 0) throw new Fault('a folded line without a header');
    else unfolded[unfolded.length - 1] += ` ${line.trim()}`;
  }
  if (unfolded.length > maxHeaderLines) throw new Fault('too many headers');
  if ([startLine, ...unfolded].some((line) => line.length > maxLineChars)) throw new Fault('a line is too long');
  return { head: [startLine, ...unfolded], bodyAt: end };
}

const token = "[\\w\\-.!%*+`'~]+";
const requestLine = new RegExp(`^(?<method>${token}) (?<uri>[^\\s<>"]+) SIP/2\\.0$`, 'i');
const statusLine = /^SIP\/2\.0 (?<status>[1-6]\d\d)(?: (?<reason>[^\r\n]*))?$/i; // `.` excludes U+2028
const headerLine = new RegExp(`^(?<name>${token})[ \\t]*:(?<value>.*)$`, 's');

function parseStartLine(line: string): Pick<Request, 'method' | 'uri'> | Pick<Response, 'status' | 'reason'> {
  const status = statusLine.exec(line)?.groups;
  if (status) return { status: Number(status['status']), reason: status['reason'] ?? '' };
  const request = requestLine.exec(line)?.groups;
  if (!request) throw new Fault('the first line is neither a request nor a status');
  return { method: request['method']!, uri: request['uri']! };
}

function parseHeader(line: string): Header {
  const groups = headerLine.exec(line)?.groups;
  if (!groups) throw new Fault('a line is no header');
  return [fullName(groups['name']!), groups['value']!.trim()];
}

/** @throws Fault for a length that is no number, or for two that differ */
function contentLength(headers: readonly Header[]): number | undefined {
  const values = new Set(headers.filter(([name]) => name === 'Content-Length').map(([, value]) => value));
  if (values.size === 0) return undefined;
  const [value = ''] = values;
  if (values.size > 1 || !/^\d{1,9}$/.test(value)) throw new Fault('Content-Length is no number');
  return Number(value);
}

function checkHeaders(message: Message): void {
  const only = (name: string): string => {
    const values = headerLines(message, name);
    if (values.length !== 1 || values[0] === '') throw new Fault(`${name} must be there once`);
    return values[0]!;
  };
  only('Call-ID');
  for (const name of ['From', 'To']) if (!parseAddress(only(name))) throw new Fault(`${name} is no address`);
  const cseq = parseCSeq(only('CSeq'));
  if (!cseq) throw new Fault('CSeq is no number and method');
  if ('method' in message && cseq.method !== message.method) throw new Fault('CSeq names another method');
  const vias = headerValues(message, 'Via');
  if (vias.length === 0 || vias.some((via) => !parseVia(via))) throw new Fault('Via is missing or malformed');
}

export type CSeq = { number: number; method: string };

function parseCSeq(text: string): CSeq | undefined {
  const [, digits, method] = new RegExp(`^(\\d{1,12})\\s+(${token})$`).exec(text) ?? [];
  if (digits === undefined || method === undefined || Number(digits) > maxCSeq) return undefined;
  return { number: Number(digits), method };
}

/** The parts of a checked message that name its dialog and its transaction. */
export type Identity = {
  callId: string;
  fromTag: string | undefined;
  toTag: string | undefined;
  cseq: CSeq;
  /** Branch, host and port of the topmost Via. */
  branch: string;
  sentBy: string;
};

/** Only for messages that `parseMessage` has returned. */
export function identityOf(message: Message): Identity {
  const value = (name: string): string => headerOf(message, name)!;
  const via = parseVia(headerValues(message, 'Via')[0]!)!;
  return {
    callId: value('Call-ID'),
    fromTag: tagOf(parseAddress(value('From'))!),
    toTag: tagOf(parseAddress(value('To'))!),
    cseq: parseCSeq(value('CSeq'))!,
    branch: via.parameters.get('branch') ?? '',
    sentBy: `${via.host.toLowerCase()}:${via.port ?? ''}`,
  };
}
