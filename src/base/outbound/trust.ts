import tls from 'node:tls';

/** Trusts the runtime's root certificates and those in `ca`. Throws a TypeError when `ca` holds no certificate. */
export function trust(ca?: string): tls.SecureContext {
  if (ca === undefined) return tls.createSecureContext();
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw new TypeError('outbound.ca_file must hold PEM certificates ("-----BEGIN CERTIFICATE-----").');
  }
  return tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ca] });
}
