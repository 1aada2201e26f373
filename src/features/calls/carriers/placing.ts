import { conflict } from '../../../base/errors.ts';
import type { Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { appLocal } from '../../../kernel/node.ts';
import type { Withdrawal } from '../../../telephony/dialog/reports.ts';
import type { Call, CallOutcome } from '../call.ts';
import type { Carrier } from './carrier.ts';

/** The carriers of a running server. */
type Placing = {
  carrierOf(this: void, call: Pick<Call, 'driver'>): Carrier;
  /** The drivers with which no telephone rings. */
  simulatedDrivers: ReadonlySet<string>;
  /** Whether some carrier can take back calls that it has. */
  mayWithdraw: boolean;
  /** The carrier that can check trunks, or why there is none. */
  checker: { check: NonNullable<Carrier['check']> } | { reason: string };
};

/** Jobs are given their carriers when they are created; services look them up here. */
const placing = appLocal((): { carriers: Placing | undefined } => ({ carriers: undefined }));

export const setCarriers = (app: App, carriers: Placing): void => void (placing(app).carriers = carriers);

/** The carrier that the call was made for. */
export function carrierOf(app: App, call: Pick<Call, 'driver'>): Carrier {
  const { carriers } = placing(app);
  if (!carriers) throw new Error('the carriers were not started');
  return carriers.carrierOf(call);
}

/** The limit of live calls of a driver; undefined if it has none. */
export const maxCallsOf = (app: App, driver: string): Carrier['maxCalls'] =>
  placing(app).carriers?.carrierOf({ driver }).maxCalls;

/** Whether calls of a number with this carrier (null: that of `carrier.driver`) are simulated. */
export const isSimulated = (app: App, carrier: string | null): boolean =>
  placing(app).carriers?.simulatedDrivers.has(carrier ?? app.config.carrier.driver) ?? false;

/** Asks the carrier of a driver for figures of its live calls; undefined if it has none. */
export const liveFactsOf = (app: App, call: Pick<Call, 'driver'>): Carrier['liveFacts'] =>
  placing(app).carriers?.carrierOf(call).liveFacts;

/** @throws conflict when no carrier of this server can check trunks */
export function trunkChecker(app: App): NonNullable<Carrier['check']> {
  const checker = placing(app).carriers?.checker;
  if (checker === undefined || 'reason' in checker) throw conflict(checker?.reason ?? 'This server has no carrier.');
  return checker.check;
}

/** Whether some carrier can take back calls that it has. */
export const mayWithdraw = (app: App): boolean => placing(app).carriers?.mayWithdraw ?? false;

/** Whether the driver can take back calls that have not rung. */
export const canWithdraw = (app: App, driver: string): boolean =>
  placing(app).carriers?.carrierOf({ driver }).withdraw !== undefined;

/** Takes back those of a driver's calls that have not rung; resolves when the carrier has confirmed it. */
export const withdrawFrom = async (app: App, driver: string, withdrawals: readonly Withdrawal[]): Promise<void> =>
  placing(app).carriers?.carrierOf({ driver }).withdraw?.(withdrawals);

/** The cost of an answered call whose carrier does not report one; 0 if it has none. */
export const costOf = async (app: App, tx: Tx, call: Call, durationSec: number): Promise<number> =>
  (await placing(app).carriers?.carrierOf(call).costOf?.(tx, call, durationSec)) ?? 0;

/** The conversation, as far as the carrier alone knows it, of a live call that was answered. */
export const conversationSoFar = async (app: App, call: Call): Promise<Partial<CallOutcome>> =>
  (await placing(app).carriers?.carrierOf(call).conversationSoFar?.(app, call)) ?? {};
