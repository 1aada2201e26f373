import type { Fault } from '../../base/errors.ts';
import type { Queryable } from '../../db/transaction.ts';
import { findAgent } from '../agents/service.ts';
import type { PhoneNumber } from '../numbers/number.ts';
import * as numbers from '../numbers/service.ts';
import {
  type Campaign,
  type CampaignStatus,
  defaultMaxCps,
  defaultSchedule,
  type ExecutionStatus,
  retryableStatuses,
  type RetryableStatus,
} from './campaign.ts';
import { mergeSchedule, type ScheduleChanges, scheduleFaults } from './schedule/schedule.ts';
import { statusFaults } from './transitions.ts';

/** Input of create and update. A missing field keeps its value; null resets it to its default. */
export type CampaignChanges = {
  name?: string;
  agentId?: string | null;
  phoneNumberId?: string | null;
  fromPhoneNumber?: string | null;
  phoneNumberIds?: string[] | null;
  localPresence?: boolean | null;
  schedule?: ScheduleChanges;
  maxCps?: number | null;
  retryOn?: RetryableStatus[] | null;
  status?: CampaignStatus;
  executionStatus?: ExecutionStatus;
};

/** The fields of a campaign that its owner sets. */
export type Settings = Pick<
  Campaign,
  | 'name'
  | 'agentId'
  | 'phoneNumberId'
  | 'fromPhoneNumber'
  | 'phoneNumberIds'
  | 'localPresence'
  | 'schedule'
  | 'maxCps'
  | 'retryOn'
>;

export const blankSettings: Settings = {
  name: '',
  agentId: null,
  phoneNumberId: null,
  fromPhoneNumber: null,
  phoneNumberIds: [],
  localPresence: false,
  schedule: defaultSchedule,
  maxCps: defaultMaxCps,
  retryOn: retryableStatuses,
};

/** The settings after these changes, and every fault that the request's schema cannot find. */
export async function settingsAfter(
  db: Queryable,
  orgId: string,
  current: Settings,
  changes: CampaignChanges,
): Promise<{ settings: Settings; faults: Fault[] }> {
  const schedule = mergeSchedule(current.schedule, changes.schedule ?? {});
  const faults = [...statusFaults(changes), ...scheduleFaults(schedule)];
  if (changes.agentId && !(await findAgent(db, orgId, changes.agentId))) {
    faults.push({ path: 'agentId', message: 'no such agent' });
  }
  const number = await numberAfter(db, orgId, current, changes, faults);
  const settings = {
    name: changes.name ?? current.name,
    agentId: changes.agentId === undefined ? current.agentId : changes.agentId,
    ...number,
    localPresence: changes.localPresence === undefined ? current.localPresence : (changes.localPresence ?? false),
    schedule,
    maxCps: changes.maxCps === undefined ? current.maxCps : (changes.maxCps ?? defaultMaxCps),
    retryOn: changes.retryOn === undefined ? current.retryOn : (changes.retryOn ?? retryableStatuses),
  };
  return { settings, faults };
}

type NumberChoice = Pick<Settings, 'phoneNumberId' | 'fromPhoneNumber' | 'phoneNumberIds'>;

/**
 * Setting `phoneNumberId` or `fromPhoneNumber` sets both, and a list of one; `phoneNumberIds` sets all three. They must name active numbers of
 * the organization.
 */
async function numberAfter(
  db: Queryable,
  orgId: string,
  current: NumberChoice,
  { phoneNumberId, fromPhoneNumber, phoneNumberIds }: CampaignChanges,
  faults: Fault[],
): Promise<NumberChoice> {
  if (phoneNumberId === undefined && fromPhoneNumber === undefined && phoneNumberIds === undefined) {
    const { phoneNumberId: id, fromPhoneNumber: from, phoneNumberIds: ids } = current;
    return { phoneNumberId: id, fromPhoneNumber: from, phoneNumberIds: ids };
  }
  const listed = await listedNumbers(db, orgId, phoneNumberIds ?? [], faults);
  const byId = phoneNumberId ? await numbers.findNumber(db, orgId, phoneNumberId) : undefined;
  const byPhone = fromPhoneNumber ? await numbers.activeNumberByPhone(db, orgId, fromPhoneNumber) : undefined;
  if (phoneNumberId && byId?.status !== 'active') {
    faults.push({ path: 'phoneNumberId', message: 'no such phone number, or it is released' });
  }
  if (fromPhoneNumber && !byPhone) {
    faults.push({ path: 'fromPhoneNumber', message: 'is not one of your active phone numbers' });
  }
  if (byId && byPhone && byId.id !== byPhone.id) {
    const message = 'phoneNumberId and fromPhoneNumber name different numbers';
    faults.push({ path: 'phoneNumberId', message }, { path: 'fromPhoneNumber', message });
  }
  const number = byId ?? byPhone;
  if (phoneNumberIds === undefined)
    return {
      phoneNumberId: number?.id ?? null,
      fromPhoneNumber: number?.phone ?? null,
      phoneNumberIds: number ? [number.id] : [],
    };
  const [first] = listed;
  const isOther = [phoneNumberId, fromPhoneNumber].some((given) => given !== undefined) && number?.id !== first?.id;
  if (isOther)
    faults.push({ path: 'phoneNumberIds', message: 'must begin with the number of phoneNumberId or fromPhoneNumber' });
  return {
    phoneNumberId: first?.id ?? null,
    fromPhoneNumber: first?.phone ?? null,
    phoneNumberIds: listed.map(({ id }) => id),
  };
}

async function listedNumbers(
  db: Queryable,
  orgId: string,
  ids: readonly string[],
  faults: Fault[],
): Promise<PhoneNumber[]> {
  const found: PhoneNumber[] = [];
  for (const [index, id] of ids.entries()) {
    const number = await numbers.findNumber(db, orgId, id);
    if (number?.status === 'active') found.push(number);
    else faults.push({ path: `phoneNumberIds[${index}]`, message: 'no such phone number, or it is released' });
  }
  return found;
}
