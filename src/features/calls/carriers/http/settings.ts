import { isIP } from 'node:net';
import { milliseconds, section, textOrNull } from '../../../../base/config/kinds.ts';
import type { Config } from '../../../../base/config/schema.ts';
import type { Static } from '../../../../base/typebox.ts';
import type { MissingSetting } from '../driver.ts';

export const httpSettings = {
  'carrier.http': section({
    url: textOrNull('Address of the voice runtime that calls are handed to.', { format: 'http_url' }),
    secret: textOrNull('Secret that signs requests to the voice runtime and its callbacks.', {
      secret: true,
      format: 'signing_secret',
    }),
    timeout_ms: milliseconds(10_000, 'Time-out for a request to the voice runtime, in milliseconds.'),
  }),
};

export type HttpSettings = Static<(typeof httpSettings)['carrier.http']>;

/** The voice runtime that calls are handed to. `secret` signs requests in both directions. */
export type VoiceRuntime = { url: string; secret: string; timeoutMs: number };

/** @throws Error when the URL or the secret is not set */
export function voiceRuntimeOf({ url, secret, timeout_ms: timeoutMs }: HttpSettings): VoiceRuntime {
  if (url === null || secret === null) throw new Error('the http carrier places no calls without its settings');
  return { url, secret, timeoutMs };
}

/** Whether a server that listens on this address listens on all addresses, so that it does not tell where to call back. */
const isWildcard = (host: string): boolean => isIP(host) !== 0 && /^[0:.]+$/.test(host);

export function missingSettings({ url, secret }: HttpSettings, { http }: Config): MissingSetting[] {
  const missing: MissingSetting[] = [];
  if (url === null) missing.push(['carrier.http.url', 'the address of the voice runtime that calls are handed to']);
  if (secret === null) {
    missing.push(['carrier.http.secret', 'what signs requests to the voice runtime and its callbacks']);
  }
  if (http.public_url === null && isWildcard(http.host)) {
    missing.push(['http.public_url', `the address for callbacks, which http.host ${http.host} does not tell`]);
  }
  return missing;
}
