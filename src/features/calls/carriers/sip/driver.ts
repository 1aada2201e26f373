import type { CallReport } from '../../../../telephony/dialog/reports.ts';
import { type CarrierDriver, carrierDriver, type CarrierHealth } from '../driver.ts';
import type { TelephonyThread } from '../thread/thread.ts';
import { checked, sipCarrier } from './carrier.ts';
import { registrationFindings, soundFindings, speechFindings, trunkFindings } from './doctor.ts';
import { sipMetrics } from './metrics.ts';
import { couldListen, withThread } from './offline.ts';
import { createOwnLine, isWanted, type OwnLine } from './own-line.ts';
import { missingSettings, type SipSettings, sipSettings } from './settings.ts';

const name = 'sip';

export type SipDriverOptions = {
  /** The user that every call goes to instead of the called number: a softphone's, in the demo. */
  callee?: string;
  /** Sees the reports of all calls before they are written. */
  onReport?: (callId: string, report: CallReport) => void;
};

/** Calls over SIP trunks, from this process alone. */
export const createSipDriver = (options: SipDriverOptions = {}): CarrierDriver =>
  carrierDriver({
    name,
    summary: 'SIP trunks',
    simulated: false,
    settings: sipSettings,
    missing: (settings, config) => missingSettings(settings.sip, settings.speech, config),
    create({ settings: { sip, speech } }) {
      let own: OwnLine | undefined;
      const line = () => own?.listening();
      const listen = () => own?.listen() ?? Promise.reject(new Error('The server is starting or stopping.'));
      return {
        carrier: sipCarrier({ ...sip, speech, callee: options.callee }, { line, listen }),
        async start(app, directory) {
          own = createOwnLine(app, sip, { ...options, speech, driver: name, directory });
          await own.begin();
        },
        async stop(graceMs) {
          const started = own?.started();
          own = undefined;
          if (!started) return;
          const { thread, registry } = started;
          started.refuseCalls();
          await thread.request({ type: 'stop', graceMs: Math.max(0, graceMs - endingMs) }).catch(() => undefined);
          await registry.settled();
          await thread.end();
        },
        async findings(app) {
          const open = line();
          if (!open && !(await isWanted(app, name))) return [notWanted];
          const signalling = open ? listening(sip, open.thread) : await couldListen(app, sip);
          return [signalling, ...soundFindings(sip)];
        },
        trunkFindings: async (app, orgId) => [
          ...(orgId === undefined ? await speechFindings(app, speech) : []),
          ...registrationFindings(line()?.registrations.list(orgId) ?? []),
          ...(await withThread(app, sip, line()?.thread, (thread) =>
            trunkFindings(app, name, (number) => checked(number, thread), orgId),
          )),
        ],
        metrics(app) {
          const started = own?.started();
          return started ? sipMetrics(app, name, started) : Promise.resolve([]);
        },
        health() {
          const open = line();
          return Promise.resolve(
            open
              ? listening(sip, open.thread)
              : { status: 'ok', message: `signalling is to listen on ${sip.host}, port ${sip.port}` },
          );
        },
      };
    },
  });

const notWanted: CarrierHealth = {
  status: 'ok',
  message: 'nothing listens for SIP, because no number calls over it',
};

export const sipDriver = createSipDriver();

/** Part of the time for stopping that is kept for writing the ends of the calls. */
const endingMs = 500;

function listening({ advertised_host: advertised }: SipSettings, { port }: TelephonyThread): CarrierHealth {
  const named = advertised ?? 'the local address of the route to them (sip.advertised_host is not set)';
  return { status: 'ok', message: `signalling listens on port ${port}; trunks are told ${named}` };
}
