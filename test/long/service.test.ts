import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { unitOf } from '../../src/cli/service/unit.ts';
import { scratch, serve } from '../cli/support.ts';

test('systemd reads the unit without a complaint, also with unusual paths', async (t) => {
  const directory = scratch(t);
  const executable = join(directory, 'par ley');
  writeFileSync(executable, '#!/bin/sh\n');
  chmodSync(executable, 0o755);
  const unit = join(directory, 'parley.service');
  writeFileSync(
    unit,
    unitOf({ executable: [executable], data: '/var/lib/50% parley', config: undefined, user: 'root' }),
  );
  const { code, err } = await ended(spawn('systemd-analyze', ['verify', '--man=no', unit]));
  assert.deepEqual([code, err], [0, '']);
});

test('systemd is told when the server is ready, that it lives, and when it stops', async (t) => {
  const socket = join(scratch(t), 'notify');
  // Node has no datagram sockets for paths, so a program of three lines receives what systemd would.
  const program =
    'use Socket; socket(S, AF_UNIX, SOCK_DGRAM, 0); bind(S, sockaddr_un($ARGV[0])) or die $!; $| = 1; print "bound\n"; while (1) { recv(S, $m, 4096, 0); print "$m\n" if $m ne ""; }';
  const receiver = spawn('perl', ['-e', program, socket]);
  t.after(() => receiver.kill());
  let heard = '';
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const hears = (pattern: RegExp) =>
    new Promise<void>((done) => {
      const check = (): void => {
        if (pattern.test(heard)) done();
      };
      receiver.stdout.on('data', check);
      check();
    });
  await hears(/bound/);
  const server = await serve(t, ['--ephemeral'], { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '600000' });
  await hears(/^READY=1$/m);
  await hears(/^WATCHDOG=1$/m);
  assert.equal((await server.stop()).code, 0);
  await hears(/^STOPPING=1$/m);
});

const ended = (child: ReturnType<typeof spawn>) =>
  new Promise<{ code: number | null; err: string }>((done) => {
    let err = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.once('close', (code) => done({ code, err }));
  });
