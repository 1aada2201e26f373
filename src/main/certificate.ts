import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../base/config/schema.ts';
import { ConfigError } from '../base/config/faults.ts';
import { dateOf, dayMs, every, isoOf, realTimeMs } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { fileReason } from '../base/system-errors.ts';
import { type Finding, finding } from './finding.ts';

/** A certificate with its chain, and its private key, both PEM. */
export type KeyPair = { cert: string; key: string; validUntil: number };

/** A certificate that ends sooner gets a warning; renewers renew a month before the end. */
const soonMs = 14 * dayMs;

/**
 * The pair that `tls.cert_file` and `tls.key_file` name; undefined when neither is set.
 * @throws ConfigError naming the setting when only one is set, a file cannot be read, the certificate has expired or the two do not match
 */
export function readKeyPair({ tls }: Config): KeyPair | undefined {
  const { cert_file: certFile, key_file: keyFile } = tls;
  if (certFile === null && keyFile === null) {
    if (tls.redirect_port !== null) throw unusable('tls.redirect_port', 'needs tls.cert_file and tls.key_file');
    return undefined;
  }
  if (certFile === null) throw unusable('tls.cert_file', 'is not set, and tls.key_file is; TLS needs both');
  if (keyFile === null) throw unusable('tls.key_file', 'is not set, and tls.cert_file is; TLS needs both');
  const cert = textOf('tls.cert_file', certFile);
  const key = textOf('tls.key_file', keyFile);
  const certificate = parsed('tls.cert_file', certFile, 'a certificate', () => new X509Certificate(cert));
  const privateKey = parsed('tls.key_file', keyFile, 'a private key without a passphrase', () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw unusable('tls.key_file', `names ${keyFile}, which is not the key of the certificate in ${certFile}`);
  const validUntil = certificate.validToDate.getTime();
  if (validUntil <= realTimeMs())
    throw unusable('tls.cert_file', `names ${certFile}, which expired at ${isoOf(validUntil)}`);
  return { cert, key, validUntil };
}

function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unusable(setting, `names ${file}, which cannot be read: ${fileReason(error)}`);
  }
}

function parsed<T>(setting: string, file: string, what: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw unusable(setting, `names ${file}, which does not hold ${what} in PEM format (${messageOf(error)})`);
  }
}

function unusable(setting: string, reason: string): ConfigError {
  return new ConfigError([{ setting, message: `${setting} ${reason}`, origin: { kind: 'default' } }]);
}

/**
 * Checks the files as they are now. A running server goes on with the pair that it has when new files cannot be used, so the finding is
 * how people learn of it.
 */
export function certificateFindings(config: Config): Finding[] {
  let pair: KeyPair | undefined;
  try {
    pair = readKeyPair(config);
  } catch (error) {
    const message = error instanceof ConfigError ? error.faults[0]!.message : messageOf(error);
    return [finding('tls', 'fail', `${message}; a running server keeps the certificate that it has`)];
  }
  if (pair === undefined) return [];
  const isSoon = pair.validUntil - realTimeMs() < soonMs;
  const day = dateOf(pair.validUntil).toISOString().slice(0, 10);
  return [finding('tls', isSoon ? 'warn' : 'ok', `the certificate is valid until ${day}`)];
}

/** How often, in real time, the files are looked at. Two look-ups cost some microseconds; a watcher would miss swapped symbolic links. */
const lookEveryMs = 1000;

/** Calls back when one of the certificate's files has changed, until the returned function is called. */
export function whenCertificateChanges({ tls }: Config, callback: () => void): () => void {
  const stateOf = (file: string): string => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
  };
  const state = (): string => [tls.cert_file!, tls.key_file!].map(stateOf).join('\n');
  let seen = state();
  return every(lookEveryMs, () => {
    const now = state();
    if (now === seen) return;
    seen = now;
    callback();
  });
}
