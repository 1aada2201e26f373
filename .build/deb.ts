/**
 * `npm run package:deb` packs an executable of Linux as a Debian package, with the user `parley`, a service and a configuration file. Needs
 * `dpkg-deb`.
 *
 *   node .build/deb.ts [--executable dist/parley] [--arch amd64] [--out dist] [--compression xz]
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { unitOf } from '../src/cli/service/unit.ts';
import { licensesOfCheckout } from '../src/main/licenses.ts';
import { buildVersion } from './version.ts';

const root = resolve(import.meta.dirname, '..');

const configFile = `# The configuration of parley. All settings with their defaults: /usr/share/doc/parley/config.example.yaml
# After a change: systemctl restart parley

# http:
#   host: 0.0.0.0
`;

const control = (version: string, arch: string, kibibytes: number): string => `Package: parley
Version: ${version}
Section: comm
Priority: optional
Architecture: ${arch}
Maintainer: parley <root@localhost>
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libatomic1, libgcc-s1, libstdc++6, init-system-helpers (>= 1.54), passwd
Recommends: systemd, ca-certificates
Description: Self-hosted voice-agent platform in one executable
 Agents that call people: campaigns, contacts, telephony over SIP, knowledge
 bases, webhooks and a dashboard, with the database in one directory.
`;

/**
 * What dh_installsystemd writes: a first installation enables and starts the service, an upgrade restarts it, and a service that the
 * administrator disabled stays so.
 */
const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  getent passwd parley >/dev/null ||
    useradd --system --user-group --no-create-home --home-dir /var/lib/parley --shell /usr/sbin/nologin parley
  install -d -o parley -g parley -m 0700 /var/lib/parley
  chown root:parley /etc/parley/config.yaml
  chmod 0640 /etc/parley/config.yaml
  # Also while an image is made, where no systemd runs.
  if deb-systemd-helper --quiet was-enabled parley.service; then
    deb-systemd-helper enable parley.service >/dev/null
  else
    deb-systemd-helper update-state parley.service >/dev/null
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    if [ -n "$2" ]; then action=restart; else action=start; fi
    deb-systemd-invoke $action parley.service ||
      echo 'parley did not start; "journalctl -u parley" says why.' >&2
  fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  deb-systemd-invoke stop parley.service
fi
`,
  postrm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
if [ "$1" = purge ]; then
  if command -v deb-systemd-helper >/dev/null; then
    deb-systemd-helper purge parley.service >/dev/null
  fi
  if [ -d /var/lib/parley ]; then
    echo 'The data of parley stays in /var/lib/parley; delete it yourself.'
  fi
fi
`,
};

/** Writes a file below the directory, with all directories above it. */
function put(directory: string, path: string, text: string, mode = 0o644): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

function fill(tree: string, executable: string, arch: string): void {
  const unit = unitOf({
    executable: ['/usr/bin/parley'],
    data: '/var/lib/parley',
    config: '/etc/parley/config.yaml',
    user: 'parley',
  });
  put(tree, 'usr/lib/systemd/system/parley.service', unit);
  put(tree, 'etc/parley/config.yaml', configFile, 0o640);
  put(tree, 'usr/share/doc/parley/copyright', licensesOfCheckout());
  for (const [from, to] of [
    [join(root, 'config.example.yaml'), 'usr/share/doc/parley/config.example.yaml'],
    [executable, 'usr/bin/parley'],
  ] as const) {
    mkdirSync(dirname(join(tree, to)), { recursive: true, mode: 0o755 });
    copyFileSync(from, join(tree, to));
    chmodSync(join(tree, to), to.startsWith('usr/bin') ? 0o755 : 0o644);
  }
  put(tree, 'DEBIAN/control', control(packageVersion(), arch, Math.ceil(statSync(executable).size / 1024)));
  put(tree, 'DEBIAN/conffiles', '/etc/parley/config.yaml\n');
  for (const [name, text] of Object.entries(scripts)) put(tree, `DEBIAN/${name}`, text, 0o755);
}

/** The instant of the commit, in Unix seconds. It stands in the package for that of all files, so that two builds are equal. */
function commitTime(): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return '0';
  }
}

/** The version of the build with the time of its commit (`0.1.0+20261128095012.g8d43a1f`), so that apt takes a later build for an upgrade. */
function packageVersion(): string {
  const time = Temporal.Instant.fromEpochMilliseconds(Number(commitTime()) * 1000).toString();
  return buildVersion().replace('+g', `+${time.replaceAll(/\D/g, '')}.g`);
}

const { values } = parseArgs({
  options: {
    executable: { type: 'string', default: join(root, 'dist/parley') },
    arch: { type: 'string', default: 'amd64' },
    out: { type: 'string', default: join(root, 'dist') },
    compression: { type: 'string', default: 'xz' },
  },
});
const tree = mkdtempSync(join(tmpdir(), 'parley-deb-'));
try {
  chmodSync(tree, 0o755);
  fill(tree, resolve(values.executable), values.arch);
  const file = join(resolve(values.out), `parley_${packageVersion()}_${values.arch}.deb`);
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${values.compression}`, '--build', tree, file], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: commitTime() },
  });
} finally {
  rmSync(tree, { recursive: true, force: true });
}
