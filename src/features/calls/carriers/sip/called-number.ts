import { countryOf, nationalPhone } from '../../../../base/written-phone.ts';
import type { App } from '../../../../kernel/app.ts';
import type { IncomingInvite } from '../../../../telephony/dialog/incoming-invite.ts';
import type { PhoneNumber } from '../../../numbers/number.ts';
import * as numbers from '../../../numbers/service.ts';
import type { NumberRegistrations } from './registrations.ts';
import type { TrunkSources } from './trunk-sources.ts';

/** Numbers of one trunk whose countries are looked at when a called number is written nationally. */
const maxNumbers = 1000;

export const withPlus = (number: string): string => number.replace(/^(?!\+)/, '+');

type Parts = {
  sources: Pick<TrunkSources, 'trunksAt' | 'isFrom'>;
  registrations: Pick<NumberRegistrations, 'calledAt'>;
  /** Whether calls to the number may come from this source. */
  isTrusted: (number: PhoneNumber) => boolean;
};

/**
 * The called number as E.164: the first of the users in the INVITE that names one of ours, written with or without `+`, or as the countries of
 * the trunk's numbers write it. If none does, the only number of the registration whose contact was called; else the first user.
 */
export async function calledNumber(
  app: App,
  invite: IncomingInvite,
  { sources, registrations, isTrusted }: Parts,
): Promise<string> {
  const isOurs = async (phone: string): Promise<boolean> => {
    const number = await numbers.numberCalled(app.db, phone);
    return number !== undefined && isTrusted(number);
  };
  let countries: readonly string[] | undefined;
  for (const user of invite.called) {
    if (await isOurs(withPlus(user))) return withPlus(user);
    if (!/^\d+$/.test(user)) continue;
    countries ??= await countriesOfTrunk(app, sources.trunksAt(invite.source));
    for (const country of countries) {
      const phone = nationalPhone(user, country);
      if (phone !== undefined && (await isOurs(phone))) return phone;
    }
  }
  const [user = ''] = invite.called;
  const account = registrations.calledAt(user);
  if (account?.phones.length === 1 && sources.isFrom(account.orgId, account.trunk, invite.source))
    return account.phones[0]!;
  return withPlus(user);
}

async function countriesOfTrunk(app: App, trunks: ReturnType<TrunkSources['trunksAt']>): Promise<string[]> {
  const phones: string[] = [];
  for (const { orgId, trunk } of trunks) {
    if (phones.length >= maxNumbers) break;
    phones.push(...(await numbers.phonesOfTrunk(app.db, orgId, trunk, maxNumbers - phones.length)));
  }
  return [...new Set(phones.flatMap((phone) => countryOf(phone) ?? []))];
}
