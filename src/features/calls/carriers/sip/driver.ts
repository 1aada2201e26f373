import type { CallReport } from '../../../../telephony/dialog/reports.ts';
import { type CarrierDriver, carrierDriver, type CarrierHealth } from '../driver.ts';
import type { TelephonyThread } from '../thread/thread.ts';
import { endLostCalls } from './call-registry.ts';
import { checked, sipCarrier } from './carrier.ts';
import { registrationFindings, soundFindings, speechFindings, trunkFindings } from './doctor.ts';
import { openLine, type OpenLine } from './line.ts';
import { sipMetrics } from './metrics.ts';
import { couldListen, withThread } from './offline.ts';
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
    missing: (settings) => missingSettings(settings.sip, settings.speech),
    create({ settings: { sip, speech } }) {
      let line: OpenLine | undefined;
      return {
        carrier: sipCarrier({ ...sip, speech, callee: options.callee }, () => line),
        async start(app, directory) {
          line = await openLine(app, sip, { ...options, speech, driver: name, directory });
          await endLostCalls(app, name);
          await line.acceptCalls();
        },
        async stop(graceMs) {
          if (!line) return;
          const { thread, registry } = line;
          line.refuseCalls();
          await thread.request({ type: 'stop', graceMs: Math.max(0, graceMs - endingMs) }).catch(() => undefined);
          await registry.settled();
          await thread.end();
          line = undefined;
        },
        async findings(app) {
          const signalling = line ? listening(sip, line.thread) : await couldListen(app, sip);
          return [signalling, ...soundFindings(sip)];
        },
        trunkFindings: async (app, orgId) => [
          ...(orgId === undefined ? await speechFindings(app, speech) : []),
          ...registrationFindings(line?.registrations.list(orgId) ?? []),
          ...(await withThread(app, sip, line?.thread, (thread) =>
            trunkFindings(app, name, (number) => checked(number, thread), orgId),
          )),
        ],
        metrics: (app) => (line ? sipMetrics(app, name, line) : Promise.resolve([])),
        health: () =>
          Promise.resolve(
            line
              ? listening(sip, line.thread)
              : { status: 'ok', message: `signalling is to listen on ${sip.host}, port ${sip.port}` },
          ),
      };
    },
  });

export const sipDriver = createSipDriver();

/** Part of the time for stopping that is kept for writing the ends of the calls. */
const endingMs = 500;

function listening({ advertised_host: advertised }: SipSettings, { port }: TelephonyThread): CarrierHealth {
  const named = advertised ?? 'the local address of the route to them (sip.advertised_host is not set)';
  return { status: 'ok', message: `signalling listens on port ${port}; trunks are told ${named}` };
}
