import { type Parameters, parseParameters, writeParameters } from './parameters.ts';
import { bareHost, writtenHostPort } from './uri.ts';

/** One hop of a Via header. */
export type Via = { transport: string; host: string; port: number | null; parameters: Parameters };

/** The prefix of every branch of RFC 3261 (section 8.1.1.7). */
export const branchCookie = 'z9hG4bK';

const viaPattern =
  /^SIP\s*\/\s*2\.0\s*\/\s*(?<transport>[\w\-.!%*+`'~]+)\s+(?<host>\[[0-9a-f:.]+\]|[\w\-.]+)(?:\s*:\s*(?<port>\d{1,5}))?\s*(?<parameters>;.*)?$/is;

/** Undefined for a value that is no Via of SIP 2.0. */
export function parseVia(text: string): Via | undefined {
  const groups = viaPattern.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const host = bareHost(groups['host']!);
  const port = groups['port'] === undefined ? null : Number(groups['port']);
  if (host === undefined || (port !== null && port > 65_535)) return undefined;
  return {
    transport: groups['transport']!.toUpperCase(),
    host,
    port,
    parameters: parseParameters(groups['parameters'] ?? ''),
  };
}

export const writeVia = ({ transport, host, port, parameters }: Via): string =>
  `SIP/2.0/${transport} ${writtenHostPort(host, port)}${writeParameters(parameters)}`;
