import { section, textOrNull } from '../../../src/base/config/kinds.ts';
import { transact, type Tx } from '../../../src/db/transaction.ts';
import type { Call } from '../../../src/features/calls/call.ts';
import type { TrunkCheck } from '../../../src/features/calls/carriers/carrier.ts';
import { type CarrierDriver, carrierDriver } from '../../../src/features/calls/carriers/driver.ts';
import { findCall, recordSip, reportProgress } from '../../../src/features/calls/service.ts';
import { recordTimeline } from '../../../src/features/calls/timeline.ts';
import type { App } from '../../../src/kernel/app.ts';
import type { PhoneNumber } from '../../../src/features/numbers/number.ts';
import type { SipFacts } from '../../../src/telephony/dialog/reports.ts';

/** Instructions that a driver received, in order: `dial <call id>`, `dtmf 12#`, … */
export type PhoneLog = string[];

const facts = (call: Call): SipFacts => ({
  call_id: `${call.id}@toy`,
  status_code: 200,
  codec: 'PCMA',
  srtp: false,
  packets_sent: 50,
  packets_received: 49,
  packets_lost: 1,
  jitter_ms: 2.5,
  turns: 0,
  interruptions: 0,
});

/** Answers a call in the transaction that records that it was accepted. */
async function answer(app: App, tx: Tx, id: string): Promise<void> {
  const call = (await findCall(tx, id))!;
  await reportProgress(app, tx, call, { type: 'answered' });
  await recordSip(tx, id, facts(call));
  await recordTimeline(tx, id, { at: app.clock.now(), type: 'answered', detail: null });
}

/** A stand-in for the driver of this name: its calls are answered at once and can be told things; it refuses to transfer to +49301. */
export function phoneDriver(name: string, log: PhoneLog, trunk?: (number: PhoneNumber) => TrunkCheck): CarrierDriver {
  const told = (text: string): Promise<{ done: true }> => {
    log.push(text);
    return Promise.resolve({ done: true });
  };
  return carrierDriver({
    name,
    summary: 'answers at once',
    simulated: false,
    settings: { [`carrier.phones_${name}`]: section({ line: textOrNull('What calls go over.') }) },
    missing: (settings) =>
      settings[`carrier.phones_${name}`]!.line === null ? [[`carrier.phones_${name}.line`, 'what calls go over']] : [],
    create: () => ({
      carrier: {
        maxRequestMs: 0,
        dial(_app, call) {
          log.push(`dial ${name} ${call.id}`);
          return Promise.resolve({ accepted: true, remember: (app, tx) => answer(app, tx, call.id) });
        },
        knows: () => Promise.resolve(true),
        hangUp: (_app, call) => told(`hangup ${name} ${call.id}`).then(() => undefined),
        control: {
          sendDigits: (_app, _call, digits) => told(`dtmf ${digits}`),
          say: (_app, _call, text) => told(`say ${text}`),
          async transfer(app, call, to) {
            if (to.startsWith('+49301')) return { done: false, reason: 'SIP 603 Decline' };
            await transact(app.db, call.orgId, (tx) =>
              recordTimeline(tx, call.id, { at: app.clock.now(), type: 'transfer', detail: to }),
            );
            return told(`transfer ${to}`);
          },
        },
        ...(trunk && { check: (_app: App, number: PhoneNumber) => Promise.resolve(trunk(number)) }),
      },
      start: () => told(`start ${name}`).then(() => undefined),
      health: () => Promise.resolve({ status: 'ok', message: 'answers' }),
    }),
  });
}
