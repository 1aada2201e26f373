import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type UnitOptions, unitOf } from './unit.ts';

/** The machine that a service is installed on. Tests give a directory in place of `/`, and record the commands. */
export type Machine = {
  root: string;
  platform: string;
  isRoot: boolean;
  /** Runs a program and returns its exit code, or null when it could not be started. */
  run(program: string, args: readonly string[]): number | null;
};

export const thisMachine = (): Machine => ({
  root: '/',
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  run: (program, args) => spawnSync(program, args, { stdio: program === 'getent' ? 'ignore' : 'inherit' }).status,
});

const unitName = 'parley.service';
const unitFile = ({ root }: Machine): string => join(root, 'etc/systemd/system', unitName);

/** @throws Error that says why this machine cannot have the service */
function requireSystemd(machine: Machine): void {
  if (machine.platform !== 'linux')
    throw new Error(`A service is installed on Linux with systemd only, and this is ${machine.platform}.`);
  if (!existsSync(join(machine.root, 'run/systemd/system')))
    throw new Error('systemd does not run on this machine (/run/systemd/system is missing).');
}

function requireRoot({ isRoot }: Machine): void {
  if (!isRoot) throw new Error('Only root may change services; run the same command with sudo.');
}

/** Directories that the unit hides from the service (`ProtectHome`). */
const hidden = /^\/(?:home|root|run\/user)\//;

/**
 * Makes the user and the data directory if they are missing, writes the unit, and enables and starts it. Installing again replaces the unit
 * and restarts the service.
 * @throws Error that names the step that failed
 */
export function installService(machine: Machine, options: UnitOptions): void {
  requireSystemd(machine);
  requireRoot(machine);
  const { executable, data, config, user } = options;
  for (const path of [...executable, data, ...(config === undefined ? [] : [config])]) {
    if (hidden.test(path))
      throw new Error(
        `${path} lies in a home directory, which the service may not read; move it, for example to /usr/local/bin or /var/lib.`,
      );
  }
  if (machine.run('getent', ['passwd', user]) !== 0)
    step(machine, 'useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', user]);
  const directory = join(machine.root, data);
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o700);
  step(machine, 'chown', ['--recursive', `${user}:`, directory]);
  mkdirSync(dirname(unitFile(machine)), { recursive: true });
  writeFileSync(unitFile(machine), unitOf(options), { mode: 0o644 });
  step(machine, 'systemctl', ['daemon-reload']);
  step(machine, 'systemctl', ['enable', unitName]);
  step(machine, 'systemctl', ['restart', unitName]);
}

/** Stops and disables the service and removes its unit. User and data stay. */
export function uninstallService(machine: Machine): void {
  requireSystemd(machine);
  requireRoot(machine);
  if (!existsSync(unitFile(machine)))
    throw new Error(`There is no ${unitFile(machine)}: the service is not installed.`);
  step(machine, 'systemctl', ['disable', '--now', unitName]);
  rmSync(unitFile(machine));
  step(machine, 'systemctl', ['daemon-reload']);
}

/** Shows what systemd says of the service. Returns its exit code: 0 running, 3 stopped, 4 not installed. */
export function serviceStatus(machine: Machine): number {
  requireSystemd(machine);
  return machine.run('systemctl', ['status', '--no-pager', unitName]) ?? 1;
}

function step(machine: Machine, program: string, args: readonly string[]): void {
  const code = machine.run(program, args);
  if (code === null) throw new Error(`${program} could not be started.`);
  if (code !== 0) throw new Error(`"${program} ${args.join(' ')}" failed with exit code ${code}.`);
}
