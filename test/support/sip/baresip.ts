import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pause } from '../../../src/base/clock.ts';
import { tlsFile } from './kamailio.ts';
import { freePorts, listens, startProgram, temporaryDirectory } from './program.ts';
import { medianToneShareOfPcm } from './tones.ts';

/** A softphone that answers every call, with a sound file as its microphone, and records what it hears. */
export type Softphone = {
  /** Its address, as a number's `termination_uri`; it takes calls for the user `you`. */
  uri: string;
  tlsUri: string;
  /** A command of its menu, such as `hold`; in a call only. */
  command(name: string, parameter?: string): void;
  /** Calls a URI. */
  dial(uri: string): void;
  /** The keys that it has received. */
  keys(): string;
  /** Resolves when this event of its has come so often. */
  happened(event: string, times: number): Promise<void>;
  /** The sound that it has heard until its first hold, at 8 kHz. Resolves when it has heard at least this many milliseconds. */
  heard(ms: number): Promise<Int16Array>;
  /** Resolves with all that it has heard as soon as a second of that, after these milliseconds, was this tone. A busy machine tears sound apart. */
  heardTone(hertz: number, afterMs: number): Promise<Int16Array>;
};

export type SoftphoneOptions = {
  codec?: 'pcmu' | 'pcma';
  srtp?: boolean;
  toneHz?: number;
  user?: string;
  /** Where it registers, as host and port; by default nowhere. */
  registrar?: { uri: string; password: string };
};

const rate = 8000;
/** Of a WAV file as libsndfile writes it. */
const headerBytes = 44;

/** A minute of a tone, as a WAV file. */
export function toneFile(hertz: number): Buffer {
  const samples = rate * 60;
  const file = Buffer.alloc(headerBytes + samples * 2);
  file.write('RIFF', 0);
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) {
    file.writeInt16LE(Math.round(12_000 * Math.sin((2 * Math.PI * hertz * at) / rate)), headerBytes + at * 2);
  }
  return file;
}

/** The sound of a WAV file that sndfile may still be writing. */
export function wavSamples(file: Buffer): Int16Array {
  const bytes = file.subarray(headerBytes);
  return new Int16Array(Uint8Array.from(bytes.subarray(0, bytes.length & ~1)).buffer);
}

type Setup = { directory: string; sipPort: number; controlPort: number; rtpPort: number };

const config = ({ directory, sipPort, controlPort, rtpPort }: Setup): string => `
poll_method epoll
net_interface 127.0.0.1
sip_listen 127.0.0.1:${sipPort}
sip_certificate ${join(directory, 'certificate.pem')}
call_max_calls 4
module_path /usr/lib/baresip/modules
module g711.so
module aufile.so
module aubridge.so
module sndfile.so
module srtp.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${controlPort}
audio_source aufile,${join(directory, 'microphone.wav')}
audio_player aubridge,ear
audio_alert aubridge,bell
ausrc_srate ${rate}
auplay_srate ${rate}
ausrc_channels 1
auplay_channels 1
rtp_ports ${rtpPort}-${rtpPort + 8}
snd_path ${directory}
`;

export async function startBaresip(t: TestContext, options: SoftphoneOptions = {}): Promise<Softphone> {
  const { codec = 'pcmu', srtp = false, toneHz = 440, user = 'you', registrar } = options;
  const directory = temporaryDirectory(t);
  const [sipPort, controlPort, rtpPort] = [await freePorts(2), await freePorts(2), await freePorts(10)];
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(directory, name), content);
  const encryption = srtp ? ';mediaenc=srtp-mand' : '';
  write('config', config({ directory, sipPort, controlPort, rtpPort }));
  const domain = registrar?.uri ?? `127.0.0.1:${sipPort}`;
  const registering = registrar ? `;auth_user=${user};auth_pass="${registrar.password}";regint=600` : ';regint=0';
  write('accounts', `<sip:${user}@${domain}>${registering};answermode=auto;audio_codecs=${codec}${encryption}\n`);
  write('contacts', '');
  write('certificate.pem', readFileSync(tlsFile('server.crt'), 'utf8') + readFileSync(tlsFile('server.key'), 'utf8'));
  write('microphone.wav', toneFile(toneHz));
  const program = startProgram(t, 'baresip', ['-f', directory], directory);
  await listens(program, sipPort, 'udp');
  await listens(program, controlPort, 'tcp');
  const control = connect(controlPort, '127.0.0.1');
  control.on('error', () => undefined); // it ends with the program
  await once(control, 'connect');
  t.after(() => control.destroy());
  let said = '';
  control.setEncoding('utf8').on('data', (text: string) => (said += text));

  const recorded = (): Int16Array => {
    const [file] = globSync('dump-*-dec.wav', { cwd: directory });
    return wavSamples(file === undefined ? Buffer.alloc(0) : readFileSync(join(directory, file)));
  };

  function command(name: string, params = ''): void {
    const message = JSON.stringify({ command: name, params });
    control.write(`${message.length}:${message},`);
  }

  async function heard(ms: number): Promise<Int16Array> {
    for (;;) {
      const samples = recorded();
      if (samples.length >= ms * 8) return samples;
      await pause(20);
    }
  }

  return {
    uri: `127.0.0.1:${sipPort}`,
    tlsUri: `localhost:${sipPort + 1}`,
    command,
    dial: (target) => command('dial', target),
    keys: () => [...said.matchAll(/"type":"CALL_DTMF_START"[^}]*"param":"(.)"/g)].map(([, key]) => key).join(''),
    async happened(event, times) {
      while (said.split(`"type":"${event}"`).length <= times) await pause(20);
    },
    heard,
    async heardTone(hertz, afterMs) {
      for (let ms = afterMs + 1000; ; ms += 500) {
        const samples = await heard(ms);
        if (medianToneShareOfPcm(samples.subarray(-rate), hertz) > 0.9) return samples;
      }
    },
  };
}
