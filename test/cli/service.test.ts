import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { installService, type Machine, serviceStatus, uninstallService } from '../../src/cli/service/install.ts';
import { scratch } from './support.ts';

const options = {
  executable: ['/usr/local/bin/parley'],
  data: '/var/lib/parley',
  config: '/etc/parley.yaml',
  user: 'parley',
};

/** A machine with systemd, whose commands are recorded; `fails` names those that end with 1. */
function aMachine(t: TestContext, { fails = [] as string[], ...over }: Partial<Machine> & { fails?: string[] } = {}) {
  const root = scratch(t);
  mkdirSync(join(root, 'run/systemd/system'), { recursive: true });
  const commands: string[] = [];
  const run = (program: string, args: readonly string[]): number => {
    const command = [program, ...args].join(' ').replaceAll(root, '');
    commands.push(command);
    return Number(fails.some((one) => command.startsWith(one)));
  };
  const machine: Machine = { root, platform: 'linux', isRoot: true, run, ...over };
  return { machine, commands, unit: join(root, 'etc/systemd/system/parley.service') };
}

test('installing makes the user and a private data directory, and enables and starts the unit', (t) => {
  const { machine, commands, unit } = aMachine(t, { fails: ['getent'] });
  installService(machine, options);
  assert.deepEqual(commands, [
    'getent passwd parley',
    'useradd --system --user-group --no-create-home --shell /usr/sbin/nologin parley',
    'chown --recursive parley: /var/lib/parley',
    'systemctl daemon-reload',
    'systemctl enable parley.service',
    'systemctl restart parley.service',
  ]);
  assert.equal(statSync(join(machine.root, 'var/lib/parley')).mode & 0o777, 0o700);
  const text = readFileSync(unit, 'utf8');
  assert.match(
    text,
    /^ExecStart="\/usr\/local\/bin\/parley" "serve" "--data" "\/var\/lib\/parley" "--config" "\/etc\/parley\.yaml"$/m,
  );
  for (const line of [
    'Type=notify',
    'WatchdogSec=30',
    'ExecReload=/bin/sh -c "kill -HUP ${MAINPID}"',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'ReadWritePaths=/var/lib/parley',
  ])
    assert.ok(text.split('\n').includes(line), line);

  uninstallService(machine);
  assert.equal(existsSync(unit), false);
  assert.deepEqual(commands.slice(6), ['systemctl disable --now parley.service', 'systemctl daemon-reload']);
  assert.throws(() => uninstallService(machine), /not installed/);
  assert.equal(existsSync(join(machine.root, 'var/lib/parley')), true, 'data stays');
});

test('a machine without systemd, a user who is not root, and a home directory are refused with the reason', (t) => {
  const { machine, commands } = aMachine(t);
  assert.throws(
    () => installService({ ...machine, root: join(machine.root, 'none') }, options),
    /systemd does not run/,
  );
  assert.throws(
    () => serviceStatus({ ...machine, platform: 'darwin' }),
    /on Linux with systemd only, and this is darwin/,
  );
  assert.throws(() => installService({ ...machine, isRoot: false }, options), /Only root/);
  assert.throws(
    () => installService(machine, { ...options, executable: ['/home/me/parley'] }),
    /\/home\/me\/parley lies in a home directory/,
  );
  assert.deepEqual(commands, []);
});

test('a step that fails is named, and status passes the exit code of systemctl on', (t) => {
  const { machine } = aMachine(t, { fails: ['systemctl enable', 'systemctl status'] });
  assert.throws(() => installService(machine, options), /"systemctl enable parley\.service" failed with exit code 1/);
  assert.equal(serviceStatus(machine), 1);
});
