import { messageOf } from '../../../../base/errors.ts';
import { onCommit } from '../../../../db/transaction.ts';
import type { App } from '../../../../kernel/app.ts';
import { numberCarrierChosen } from '../../../numbers/events.ts';
import { isCarrierUsed } from '../../../numbers/service.ts';
import { liveCallsOfDriver } from '../../service.ts';
import { sharedThread } from '../thread/shared-thread.ts';
import { endLostCalls } from './call-registry.ts';
import { type LineOptions, openLine, type OpenLine } from './line.ts';
import type { SipSettings } from './settings.ts';

/** The line of this server. Its thread starts with the first call of any channel; it listens once a number calls over SIP. */
export type OwnLine = {
  /** Undefined while nothing listens. */
  listening(): OpenLine | undefined;
  /** Undefined before the thread is started. */
  started(): OpenLine | undefined;
  /** @throws Error that names the setting when the port is taken */
  begin(): Promise<void>;
  /**
   * Resolves when it listens.
   * @throws Error that names the setting when the port is taken
   */
  listen(): Promise<OpenLine>;
};

/** Whether calls of the driver are made, taken or left over: no port is open otherwise. */
export const isWanted = async (app: App, driver: string): Promise<boolean> =>
  app.config.carrier.driver === driver ||
  (await isCarrierUsed(app.db, driver)) ||
  (await liveCallsOfDriver(app.db, driver)).length > 0;

export function createOwnLine(app: App, sip: SipSettings, options: LineOptions): OwnLine {
  const { driver } = options;
  let line: OpenLine | undefined;
  let opening: Promise<OpenLine> | undefined;
  let isListening = false;

  const start = (): OpenLine => (line ??= openLine(app, sip, options));

  async function open(beforeCalls: () => Promise<void>): Promise<OpenLine> {
    const started = start();
    await started.listen();
    await beforeCalls();
    await started.acceptCalls();
    isListening = true;
    return started;
  }

  function listen(beforeCalls = (): Promise<void> => Promise.resolve()): Promise<OpenLine> {
    opening ??= open(beforeCalls).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  const listenLater = (): void =>
    void listen().catch((error: unknown) => {
      app.log.error({ error: messageOf(error) }, 'calls over SIP are neither made nor taken');
    });

  return {
    listening: () => (isListening ? line : undefined),
    started: () => line,
    async begin() {
      sharedThread(app).start = () => void start();
      if (await isWanted(app, driver)) await listen(() => endLostCalls(app, driver));
      app.events.on(numberCarrierChosen, (_app, tx, { carrier }) => {
        if (carrier === driver) onCommit(tx, listenLater);
        return Promise.resolve();
      });
    },
    listen: () => listen(),
  };
}
