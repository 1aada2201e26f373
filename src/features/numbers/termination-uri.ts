import { isIPv4, isIPv6 } from 'node:net';

/** `host[:port]`, or a SIP URI (RFC 3261, section 19.1.1) without password and headers. */
const terminationUriPattern =
  /^(?<uri>sips?:(?:[^\s@:;?]+@)?)?(?<host>\[[^\s[\]]+\]|[^\s@:;?[\]]+)(?::(?<port>\d{1,5}))?(?<parameters>(?:;[^\s@;?]+)*)$/i;

/** A transport that parley does not speak, such as `ws` (RFC 7118). */
const foreignTransport = /;transport=(?!(?:udp|tcp|tls)(?:;|$))/i;

const labelPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Whether a text is the address of a SIP trunk, like `sip.example.com:5060` or `sip:trunk@[2001:db8::1];transport=tls`. */
export function isTerminationUri(text: string): boolean {
  const { uri, host = '', port, parameters = '' } = terminationUriPattern.exec(text)?.groups ?? {};
  if (!isHost(host)) return false;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return false;
  if (foreignTransport.test(parameters)) return false;
  return uri !== undefined || parameters === '';
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1));
  const labels = host.replace(/\.$/, '').split('.');
  // A host whose last label is a number must be an IPv4 address (WHATWG URL, "ends in a number").
  if (/^\d+$/.test(labels.at(-1) ?? '')) return isIPv4(host);
  return host.length <= 253 && labels.every((label) => labelPattern.test(label));
}
