import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { freePorts, listens, type Program, startProgram, temporaryDirectory } from './program.ts';

export type Proxy = {
  /** `termination_uri` of a trunk behind this proxy, over UDP or TCP. */
  uri: string;
  /** The same over TLS, by the name in its certificate. */
  tlsUri: string;
  /** Makes it hang for this many milliseconds: it handles packets only afterwards. */
  standStill: Program['standStill'];
};

/** User and password that the proxy asks for. */
export const proxyCredentials = { sip_username: 'anna', sip_password: 'open sesame' };

const tls = resolve(import.meta.dirname, '../tls');
export const tlsFile = (name: 'ca.crt' | 'server.crt' | 'server.key'): string => join(tls, name);
const template = resolve(import.meta.dirname, '../../sip/kamailio.cfg');

/** A proxy that asks for a password and stays in the path of every call to the phone at `phonePort`. */
export async function startKamailio(t: TestContext, phonePort: number, port?: number): Promise<Proxy> {
  const directory = temporaryDirectory(t);
  const sipPort = port ?? (await freePorts(2));
  const values = {
    SIP_PORT: sipPort,
    TLS_PORT: sipPort + 1,
    PHONE_PORT: phonePort,
    KEY_FILE: tlsFile('server.key'),
    CERT_FILE: tlsFile('server.crt'),
  };
  const config = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, String(value)),
    readFileSync(template, 'utf8'),
  );
  const file = join(directory, 'kamailio.cfg');
  writeFileSync(file, config);
  const program = startProgram(t, 'kamailio', ['-DD', '-E', '-f', file, '-Y', directory], directory);
  await listens(program, sipPort, 'udp');
  await listens(program, sipPort, 'tcp');
  await listens(program, sipPort + 1, 'tcp');
  return {
    uri: `127.0.0.1:${sipPort}`,
    tlsUri: `localhost:${sipPort + 1}`,
    standStill: (ms, meanwhile) => program.standStill(ms, meanwhile),
  };
}

export type KamailioRegistrar = Proxy & { port: number };

const registrarTemplate = resolve(import.meta.dirname, '../../sip/registrar.cfg');

/** A registrar with the account of `proxyCredentials`, which keeps Contacts for these seconds; 0: no limit. */
export async function startRegistrarOfKamailio(
  t: TestContext,
  { maxExpires = 0, minExpires = 0 } = {},
): Promise<KamailioRegistrar> {
  const directory = temporaryDirectory(t);
  const port = await freePorts(2);
  const values = {
    SIP_PORT: port,
    TLS_PORT: port + 1,
    KEY_FILE: tlsFile('server.key'),
    CERT_FILE: tlsFile('server.crt'),
    MAX_EXPIRES: maxExpires,
    MIN_EXPIRES: minExpires,
  };
  const config = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(name, String(value)),
    readFileSync(registrarTemplate, 'utf8'),
  );
  const file = join(directory, 'registrar.cfg');
  writeFileSync(file, config);
  const program = startProgram(t, 'kamailio', ['-DD', '-E', '-f', file, '-Y', directory], directory);
  await listens(program, port, 'udp');
  await listens(program, port + 1, 'tcp');
  return {
    port,
    uri: `127.0.0.1:${port}`,
    tlsUri: `localhost:${port + 1}`,
    standStill: (ms, meanwhile) => program.standStill(ms, meanwhile),
  };
}
