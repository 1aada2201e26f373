import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Queryable, Tx } from '../../../db/transaction.ts';
import type { App } from '../../../kernel/app.ts';
import { type CarrierState, mayTry } from '../../numbers/carrier-pause.ts';
import { carrierStateOf } from '../../numbers/carrier-reach.ts';
import { findNumber } from '../../numbers/service.ts';
import type { Campaign, NumberUse } from '../campaign.ts';
import * as store from '../store.ts';
import { type Dialing, dialingOf } from './dialing-store.ts';

/** From which of its numbers a campaign calls (docs/api/campaigns.md, "Several caller numbers"). */

export type CallerNumber = { number: NonNullable<Dialing['number']>; carrier: CarrierState };

/** 0: a call can come from it now. 1: its lines or its pace are used up. 2: its carrier is paused. 3: it is released. */
function hindrance({ number, carrier }: CallerNumber, now: number): number {
  if (number.status !== 'active') return 3;
  if (!mayTry(carrier, now)) return 2;
  return number.inFlight >= number.maxConcurrent || Math.floor(number.paceAt) > now ? 1 : 0;
}

/** How many characters two E.164 numbers have in common at their beginning, if these include the country's code; else 0. */
export function likeness(phone: string, called: string): number {
  const code = parsePhoneNumberFromString(called)?.countryCallingCode;
  let length = 0;
  while (length < phone.length && phone[length] === called[length]) length += 1;
  return code !== undefined && length > code.length ? length : 0;
}

export type Choosing = { now: number; used: NumberUse['used']; called: string | null };

/** The number for the next call: `called` is given where local presence counts. Of equal ones the first. */
export function chooseNumber(
  numbers: readonly CallerNumber[],
  { now, used, called }: Choosing,
): CallerNumber | undefined {
  const ranks = numbers.map((one) => [
    hindrance(one, now),
    called === null ? 0 : -likeness(one.number.phone, called),
    used[one.number.id] ?? 0,
  ]);
  let best = 0;
  for (const [index, rank] of ranks.entries()) if (isLess(rank, ranks[best]!)) best = index;
  return numbers[best];
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at !== -1 && a[at]! < b[at]!;
}

/** The numbers of a campaign in their order. */
async function numbersOf(db: Queryable, { orgId, phoneNumberIds }: Campaign): Promise<CallerNumber[]> {
  const found: CallerNumber[] = [];
  for (const id of phoneNumberIds) {
    const number = await findNumber(db, orgId, id);
    if (number) found.push({ number, carrier: await carrierStateOf(db, id) });
  }
  return found;
}

const dayOf = ({ schedule: { timezone } }: Campaign, now: number): string =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate().toString();

const usedToday = (campaign: Campaign, now: number): NumberUse['used'] =>
  campaign.numberUse?.day === dayOf(campaign, now) ? campaign.numberUse.used : {};

export const hasSeveralNumbers = ({ phoneNumberIds }: Campaign): boolean => phoneNumberIds.length > 1;

/** Puts a campaign with several numbers into the queue of the one that its next call can come from. */
export async function withFreeNumber(app: App, tx: Tx, dialing: Dialing): Promise<Dialing> {
  const { campaign } = dialing;
  if (!hasSeveralNumbers(campaign) || campaign.executionStatus !== 'running') return dialing;
  const now = app.clock.now();
  const choosing = { now, used: usedToday(campaign, now), called: null };
  const chosen = chooseNumber(await numbersOf(tx, campaign), choosing);
  if (!chosen || chosen.number.id === campaign.queueNumberId) return dialing;
  await store.updateCampaign(tx, campaign.id, { phone_number_id: chosen.number.id });
  return (await dialingOf(tx, campaign.id)) ?? dialing;
}

/** The number that a call to this phone comes from. Counts its use. */
export async function numberFor(
  app: App,
  tx: Tx,
  campaign: Campaign,
  phone: string,
): Promise<CallerNumber | undefined> {
  if (!hasSeveralNumbers(campaign)) return undefined;
  const now = app.clock.now();
  const used = usedToday(campaign, now);
  const called = campaign.localPresence ? phone : null;
  const chosen = chooseNumber(await numbersOf(tx, campaign), { now, used, called });
  if (!chosen) return undefined;
  const { id } = chosen.number;
  const use: NumberUse = { day: dayOf(campaign, now), used: { ...used, [id]: (used[id] ?? 0) + 1 } };
  await store.updateCampaign(tx, campaign.id, { number_use: JSON.stringify(use) });
  return chosen;
}
