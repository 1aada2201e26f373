import { readFileSync } from 'node:fs';
import { integer, milliseconds, oneOf, section, text, textOrNull } from '../../../../base/config/kinds.ts';
import type { Config } from '../../../../base/config/schema.ts';
import { type Static, Type } from '../../../../base/typebox.ts';
import { type SpeechSettings, speechSettings, voicemailSettings } from '../../../../talking/speech/settings.ts';
import type { MissingSetting } from '../driver.ts';
import type { ThreadData } from '../thread/protocol.ts';
import { missingSpeechSettings } from '../thread/speech-settings.ts';

const port = (fallback: number, description: string) => integer(fallback, description, { minimum: 0, maximum: 65_535 });

const networks = (description: string) => Type.Array(Type.String({ format: 'cidr' }), { default: [], description });

export const sipSettings = {
  sip: section({
    host: text('0.0.0.0', 'Address on which signalling (UDP and TCP) and sound listen.'),
    port: port(5060, 'Port for signalling over UDP and TCP; 0 picks a free one.'),
    tls_port: Type.Union([Type.Integer({ minimum: 0, maximum: 65_535 }), Type.Null()], {
      default: null,
      description:
        'Port for signalling over TLS; null opens none, and trunks then reach us over the connection of the call; needs sip.tls.cert_file and sip.tls.key_file.',
    }),
    tls: section({
      cert_file: textOrNull('File with our certificate (PEM), shown to trunks over TLS.'),
      key_file: textOrNull('File with the key of our certificate (PEM).'),
      ca_file: textOrNull('File with CAs (PEM) that are trusted for trunks besides the public ones.'),
    }),
    advertised_host: textOrNull(
      'Host or address at which trunks reach this server; null: the local address of the route to the trunk.',
    ),
    rtp_port_min: integer(10_000, 'First port for sound; every call takes an even port and the next one.', {
      minimum: 1024,
      maximum: 65_534,
    }),
    rtp_port_max: integer(19_999, 'Last port for sound.', { minimum: 1025, maximum: 65_535 }),
    codecs: Type.Array(Type.Enum(['PCMU', 'PCMA']), {
      default: ['PCMU', 'PCMA'],
      description: 'Codecs in the order in which they are offered: PCMU and PCMA.',
    }),
    srtp: oneOf(
      ['auto', 'required', 'off'],
      'auto',
      'Encrypted sound: auto (exactly when the trunk is reached over TLS), required or off.',
    ),
    ring_timeout_ms: milliseconds(45_000, 'Time from the INVITE to the CANCEL of an unanswered call, in milliseconds.'),
    rtp_timeout_ms: milliseconds(
      20_000,
      'Time without a received packet after which a call that is not on hold fails, in milliseconds.',
    ),
    session_expires_sec: integer(1800, 'Session timer that is offered to trunks, in seconds; 0 offers none.', {
      minimum: 0,
      maximum: 86_400,
    }),
    register_expires_sec: integer(600, 'Time for which a registration is asked for, in seconds.', {
      minimum: 1,
      maximum: 86_400,
    }),
    max_calls: integer(300, 'Calls of the carrier sip that may be live at once, of all organizations.'),
    allow_networks: networks('Networks (CIDR) that are not public in which trunks and their sound may be.'),
    inbound_networks: networks("Networks (CIDR) from which calls are taken besides the trunks' own addresses."),
    amd: voicemailSettings,
    allowed_prefixes: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'If not empty, the only beginnings of numbers, such as +49, that are called or transferred to.',
    }),
  }),
  speech: speechSettings,
};

export type SipSettings = Static<(typeof sipSettings)['sip']>;

export function missingSettings(sip: SipSettings, speech: SpeechSettings, { catalog }: Config): MissingSetting[] {
  const missing = missingSpeechSettings(speech, catalog.models);
  if (sip.tls_port !== null) {
    if (sip.tls.cert_file === null) missing.push(['sip.tls.cert_file', 'the certificate for sip.tls_port']);
    if (sip.tls.key_file === null) missing.push(['sip.tls.key_file', 'the key of the certificate for sip.tls_port']);
  }
  if (sip.codecs.length === 0) missing.push(['sip.codecs', 'at least one codec']);
  if (sip.rtp_port_max <= sip.rtp_port_min) missing.push(['sip.rtp_port_max', 'a port above sip.rtp_port_min']);
  return missing;
}

type Rest = Pick<ThreadData, 'speech' | 'secret' | 'journalFile' | 'userAgent' | 'trace' | 'turnEnds'>;

/** @throws Error when one of the TLS files cannot be read */
export const threadDataOf = (sip: SipSettings, rest: Rest): ThreadData => ({
  host: sip.host,
  port: sip.port,
  tlsPort: sip.tls_port,
  tls: { cert: textIn(sip.tls.cert_file), key: textIn(sip.tls.key_file), ca: textIn(sip.tls.ca_file) },
  advertisedHost: sip.advertised_host,
  rtpPortMin: sip.rtp_port_min,
  rtpPortMax: sip.rtp_port_max,
  rtpTimeoutMs: sip.rtp_timeout_ms,
  codecs: sip.codecs,
  srtp: sip.srtp,
  sessionExpiresSec: sip.session_expires_sec,
  voicemail: sip.amd,
  allowNetworks: sip.allow_networks,
  inboundNetworks: sip.inbound_networks,
  ...rest,
});

const textIn = (file: string | null): string | null => (file === null ? null : readFileSync(file, 'utf8'));
