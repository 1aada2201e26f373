import type { PhoneOptions } from '../../../src/telephony/dialog/phone.ts';
import { echoEngine } from '../../../src/talking/speech/echo/echo.ts';
import { openAgent } from '../../../src/talking/agent.ts';
import type { SpeechSession } from '../../../src/telephony/audio/speech.ts';
import { anAgentInCall, noSpeechEvents, voicemailSettings } from '../talking.ts';
import type { Media } from '../../../src/telephony/media/session.ts';

export const echoAgent = (): SpeechSession =>
  openAgent({ echo: echoEngine }, anAgentInCall(), noSpeechEvents, voicemailSettings);

/** An echo for each call. */
function echoAgents(): PhoneOptions['speech'] {
  const sessions = new Map<string, SpeechSession>();
  return {
    open: (callId) => sessions.getOrInsertComputed(callId, echoAgent),
    turns: () => ({ turns: 0, interruptions: 0 }),
    transfer: () => Promise.resolve('This phone transfers nothing.'),
  };
}

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
  speech: echoAgents(),
  resolver: { srv: () => Promise.resolve([]), addresses: () => Promise.reject(new Error('no such name')) },
  journalFile: null,
  secret: 'a secret of the test',
  trace: false,
  isAllowed: () => true,
  isInbound: () => false,
  refusalOf: () => Promise.resolve(null),
  mayInvite: () => true,
  credentialsOf: () => Promise.resolve(null),
  decide: () => Promise.resolve({ accepted: false, status: 404, phrase: 'Not Found' }),
  report: () => undefined,
  reportRegistration: () => undefined,
  log: () => undefined,
  ...changes,
});
