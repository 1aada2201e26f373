import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import { type Command, UsageError } from './command.ts';
import { installService, serviceStatus, thisMachine, uninstallService } from './service/install.ts';
import { configFrom, readArguments } from './settings.ts';

const defaultData = '/var/lib/parley';

/** This program as a command line: the executable alone, or Node with the script from a checkout. */
const ownCommand = (): string[] => (isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1]!)]);

export const service: Command = {
  name: 'service',
  usage: 'install|uninstall|status [--user parley] [--data DIR] [--config FILE]',
  summary: 'Run parley as a service of systemd: write and enable its unit, remove it, or show how it is. Data stays.',
  run(args) {
    const { flags, words } = readArguments(args, ['install, uninstall or status'], { user: { type: 'string' } });
    const machine = thisMachine();
    switch (words[0]) {
      case 'install': {
        const { config } = configFrom({ ...flags, data: flags['data'] ?? defaultData });
        const file = flags['config'];
        installService(machine, {
          executable: ownCommand(),
          data: resolve(config.data),
          config: typeof file === 'string' ? resolve(file) : undefined,
          user: typeof flags['user'] === 'string' ? flags['user'] : 'parley',
        });
        console.log(
          [
            `parley runs as a service on ${resolve(config.data)}.`,
            'Its log, which has the first admin key: journalctl -u parley',
            'After a change of the configuration: systemctl reload parley (what needs a restart is in the log)',
          ].join('\n'),
        );
        return Promise.resolve(0);
      }
      case 'uninstall':
        uninstallService(machine);
        console.log('The service is removed. Its data and its user stay.');
        return Promise.resolve(0);
      case 'status':
        return Promise.resolve(serviceStatus(machine));
      default:
        throw new UsageError(`"${words[0]}" is not one of install, uninstall and status`);
    }
  },
};
