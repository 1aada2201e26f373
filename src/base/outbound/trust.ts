import { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { messageOf } from '../errors.ts';

/** Why `pem` cannot be used as a file of certificate authorities; undefined when each of its certificates can be read. */
export function certificateFault(pem: string): string | undefined {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0) return 'it holds no PEM certificate ("-----BEGIN CERTIFICATE-----")';
  for (const [index, certificate] of certificates.entries()) {
    try {
      void new X509Certificate(certificate);
    } catch (error) {
      return `certificate ${index + 1} of ${certificates.length} in it is damaged (${messageOf(error)})`;
    }
  }
  return undefined;
}

/** Trusts the runtime's root certificates and those in `ca`. Throws a TypeError when `ca` has a fault. */
export function trust(ca?: string): tls.SecureContext {
  if (ca === undefined) return tls.createSecureContext();
  const fault = certificateFault(ca);
  if (fault !== undefined) throw new TypeError(`outbound.ca_file cannot be used: ${fault}`);
  return tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ca] });
}
