import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pause } from '../../src/base/clock.ts';
import { greeting } from '../../src/talking/speech/echo/greeting.ts';
import { serve } from '../cli/support.ts';
import { blocksOf, runGuide } from '../support/guides.ts';
import { toneFile, wavSamples } from '../support/sip/baresip.ts';
import { freePorts, listens, skipWithout, startCommand, temporaryDirectory } from '../support/sip/program.ts';
import { medianToneShareOfPcm } from '../support/sip/tones.ts';

/** docs/telephony.md as a newcomer follows it. */

const root = resolve(import.meta.dirname, '../..');

test(
  'the phone of the guide rings, hears the greeting and itself, and its keys arrive',
  skipWithout('baresip'),
  async (t) => {
    const directory = temporaryDirectory(t);
    const port = await freePorts(2);
    writeFileSync(join(directory, 'microphone.wav'), toneFile(440));
    const blocks = [...readFileSync(join(root, 'docs/telephony.md'), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)];
    const [softphone, demo] = blocks.map(([, script]) => script!.replaceAll('5070', String(port)));
    const parley = `parley() { "${process.execPath}" "${join(root, 'bin/parley.js')}" "$@"; }`;
    const bash = (script: string) => startCommand(t, 'bash', ['-c', `set -eu\n${parley}\n${script}`], directory);

    const phone = bash(softphone!);
    await listens(phone, port, 'udp');
    const call = bash(demo!);
    const heardMs = (): number => wavSamples(recording(directory)).length / 8;
    while (heardMs() < greeting.PCMU.length / 8 + 2500) await pause(50);
    phone.write('5');
    while (!call.output().includes('key 5')) await pause(50);
    phone.write('b');
    assert.equal(await call.ended, 0, call.output());
    assert.match(
      call.output(),
      /^ringing\nanswered, PCM[UA]\nkey 5\nended: completed after [\d.]+ s\npackets: \d+ sent, \d+ received, \d+ lost$/m,
    );
    const heard = wavSamples(recording(directory));
    assert.ok(medianToneShareOfPcm(heard.subarray(0, greeting.PCMU.length), 440) < 0.5, 'first the greeting');
    const echo = heard.subarray(greeting.PCMU.length + 8000, greeting.PCMU.length + 20_000);
    assert.ok(medianToneShareOfPcm(echo, 440) > 0.9, 'then the microphone');
  },
);

test('the tutorial of the ringing telephone works as written', skipWithout('baresip'), async (t) => {
  const directory = temporaryDirectory(t);
  const [port, sipPort] = [await freePorts(2), await freePorts(2)];
  writeFileSync(join(directory, 'microphone.wav'), toneFile(440));
  const [, account, configuring] = blocksOf('tutorials/first-ring.md');
  const [setUp, start] = blocksOf('telephony.md')[0]!
    .code.replaceAll('5070', String(port))
    .split(/(?=^baresip )/m);
  const softphone = [setUp, account!.code.replaceAll('5070', String(port)), start].join('\n');
  await listens(startCommand(t, 'bash', ['-c', softphone], directory), port, 'udp');
  const [, config] = /<<'END'\n([^]*?)END\n/.exec(configuring!.code)!;
  writeFileSync(join(directory, 'parley.yaml'), config!);
  const { ready } = await serve(t, [
    '--ephemeral',
    '--config',
    join(directory, 'parley.yaml'),
    '--set',
    `sip.port=${sipPort}`,
  ]);
  const until = (state: string): string =>
    `until api GET /api/v1/calls/$CALL | grep -q '"state":"${state}"'; do :; done`;
  const hangUp = `${until('in_progress')}\napi POST /api/v1/calls/$CALL/hangup > /dev/null\n${until('ended')}`;
  await runGuide(t, 'tutorials/first-ring.md', {
    env: { URL: ready.url, KEY: ready.api_key! },
    edit: (code, index) =>
      index < 3 ? undefined : code.replaceAll('5070', String(port)).replace(/^api GET .*CALL$/m, `${hangUp}\n$&`),
  });
});

function recording(directory: string): Buffer {
  const [file] = globSync('softphone/dump-*-dec.wav', { cwd: directory });
  return file === undefined ? Buffer.alloc(0) : readFileSync(join(directory, file));
}
