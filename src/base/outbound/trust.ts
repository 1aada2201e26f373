import tls from 'node:tls';

/** The runtime's root certificates and those in `ca`, parsed once. Throws a TypeError when `ca` holds no certificate. */
export function trust(ca?: string): tls.SecureContext {
  if (ca === undefined) return tls.createSecureContext();
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw new TypeError(
      'The additional certificate authorities must be PEM certificates ("-----BEGIN CERTIFICATE-----").',
    );
  }
  return tls.createSecureContext({ ca: [...tls.getCACertificates('default'), ca] });
}
