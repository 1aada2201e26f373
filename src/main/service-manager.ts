import { spawn } from 'node:child_process';
import { every } from '../base/clock.ts';
import type { Log } from '../base/log.ts';

/**
 * Tells systemd how the service is (sd_notify), where the unit has `Type=notify`. With the program `systemd-notify`, because Node has no
 * datagram sockets for paths; the unit allows it by `NotifyAccess=all`.
 */
export type ServiceManager = {
  ready(): void;
  stopping(): void;
};

const silent: ServiceManager = { ready: () => undefined, stopping: () => undefined };

/** The watchdog is fed this often within its time-out, so that one late beat does not restart the service. */
const beatsPerTimeout = 3;

/** `env` has the variables that systemd sets for a service. */
export function serviceManager(env: NodeJS.ProcessEnv, log: Log): ServiceManager {
  if (env['NOTIFY_SOCKET'] === undefined) return silent;
  let hasFailed = false;
  const tell = (...states: string[]): void => {
    const child = spawn('systemd-notify', [`--pid=${process.pid}`, ...states], { stdio: 'ignore' });
    child.once('error', (error) => {
      if (!hasFailed)
        log.error({ err: error }, 'systemd could not be told how the service is; is systemd-notify installed?');
      hasFailed = true;
    });
    child.unref();
  };
  const watchdogMs = Number(env['WATCHDOG_USEC'] ?? 0) / 1000;
  let stopBeating = (): void => undefined;
  return {
    ready() {
      tell('READY=1', 'STATUS=serving');
      // Beats come from the event loop: one that is blocked is restarted.
      if (watchdogMs > 0) stopBeating = every(watchdogMs / beatsPerTimeout, () => tell('WATCHDOG=1'));
    },
    stopping() {
      stopBeating();
      tell('STOPPING=1');
    },
  };
}
