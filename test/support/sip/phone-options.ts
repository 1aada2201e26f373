import type { PhoneOptions } from '../../../src/telephony/dialog/phone.ts';
import type { Media } from '../../../src/telephony/media/session.ts';

/** Options of a phone on loopback, on any free port, that takes no calls and tells nobody of its own. */
export const phoneOptions = (media: Media, changes: Partial<PhoneOptions> = {}): PhoneOptions => ({
  transport: {
    host: '127.0.0.1',
    port: 0,
    tlsPort: null,
    tls: { cert: null, key: null, ca: null },
    advertisedHost: null,
  },
  settings: { codecs: ['PCMU', 'PCMA'], srtp: 'auto', sessionExpiresSec: 1800, userAgent: 'parley/test' },
  media,
  resolver: { srv: () => Promise.resolve([]), addresses: () => Promise.reject(new Error('no such name')) },
  journalFile: null,
  secret: 'a secret of the test',
  trace: false,
  isAllowed: () => true,
  isInbound: () => false,
  refusalOf: () => Promise.resolve(null),
  credentialsOf: () => Promise.resolve(null),
  decide: () => Promise.resolve({ accepted: false, status: 404, phrase: 'Not Found' }),
  report: () => undefined,
  log: () => undefined,
  ...changes,
});
