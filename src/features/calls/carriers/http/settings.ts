import { isIP } from 'node:net';
import { ConfigError, faultAt } from '../../../../base/config/faults.ts';
import type { Config } from '../../../../base/config/schema.ts';

export type HttpCarrierSettings = {
  url: string;
  /** Signs both ways. */
  secret: string;
  timeoutMs: number;
};

/** Listening there is listening everywhere; nobody can be called back at such an address. */
const isWildcard = (host: string): boolean => isIP(host) !== 0 && /^[0:.]+$/.test(host);

/** @throws {ConfigError} naming each setting that the http carrier needs and lacks */
export function httpCarrierSettings({ carrier, http }: Config): HttpCarrierSettings {
  const { url, secret, timeout_ms: timeoutMs } = carrier.http;
  const needs: Array<[setting: string, what: string]> = [];
  if (url === null) needs.push(['carrier.http.url', 'the address of the voice runtime that calls are handed to']);
  if (secret === null)
    needs.push(['carrier.http.secret', 'what signs requests to the voice runtime and its callbacks']);
  if (http.public_url === null && isWildcard(http.host)) {
    needs.push(['http.public_url', `the address for callbacks, which http.host ${http.host} does not tell`]);
  }
  if (url === null || secret === null || needs.length > 0) {
    const message = (setting: string, what: string) => `carrier.driver http needs ${setting}: ${what}.`;
    throw new ConfigError(
      needs.map(([setting, what]) => faultAt({ kind: 'default' }, setting, message(setting, what))),
    );
  }
  return { url, secret, timeoutMs };
}
