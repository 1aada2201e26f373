import { createHmac } from 'node:crypto';
import type { App } from '../../../../kernel/app.ts';
import type { Account, RegistrationReport } from '../../../../telephony/registration/account.ts';
import type { RegistrationState } from '../../../../telephony/registration/machine.ts';
import { readTarget, type ResolvedTarget } from '../../../../telephony/transport/resolve.ts';
import type { Trunk } from '../../../numbers/events.ts';
import type { PhoneNumber } from '../../../numbers/number.ts';
import { registrationOff, type RegistrationStatus } from '../../../numbers/registration.ts';
import { findNumber, registeredAfter } from '../../../numbers/service.ts';
import { credentialsOf } from './credentials.ts';

/** The accounts that this server registers: numbers of an organization with the same user, host, port and transport share one. */
export type NumberRegistrations = {
  /** Reads the numbers of all organizations. */
  load(): Promise<void>;
  /** Call after the commit. Looks at the number anew; what it shares with others stays. */
  changed(orgId: string, numberId: string): Promise<void>;
  record(accountId: string, report: RegistrationReport): void;
  statusOf(this: void, number: PhoneNumber): RegistrationStatus;
  /** The account whose contact has this user; undefined for any other user. */
  calledAt(user: string): RegisteredAccount | undefined;
  /** For a telephony thread that knows none yet. */
  all(): Account[];
  /** Of an organization, or of all. */
  list(orgId?: string): Array<{ phones: string[]; trunk: string; state: RegistrationState; detail: string | null }>;
};

export type RegisteredAccount = { orgId: string; trunk: Trunk; phones: string[] };

export type NumberRegistrationsOptions = {
  driver: string;
  /** Of the data directory, so that the contact of a killed process is that of its successor. */
  secret: string;
  expiresSec: number;
  post(this: void, message: { type: 'register'; account: Account } | { type: 'unregister'; accountId: string }): void;
};

/** Accounts of one organization that are registered; more would be timers and look-ups without end. */
const maxAccounts = 1000;
const pageSize = 500;
const tokenChars = 20;

type Status = Omit<RegistrationReport, 'expiresInMs'> & { expiresAt: number | null };
type Entry = { orgId: string; trunk: Trunk; account: Account; phones: Map<string, string>; status: Status };

const begun: Status = { state: 'registering', expiresAt: null, contact: null, detail: null };

export function createNumberRegistrations(app: App, options: NumberRegistrationsOptions): NumberRegistrations {
  const entries = new Map<string, Entry>();
  const byToken = new Map<string, Entry>();
  /** The account of each number. */
  const joined = new Map<string, string>();
  let changing: Promise<void> = Promise.resolve();

  const drivesCallsOf = ({ carrier }: PhoneNumber): boolean =>
    (carrier ?? app.config.carrier.driver) === options.driver;

  function begin(id: string, number: PhoneNumber): Entry | undefined {
    const { orgId, phone } = number;
    if ([...entries.values()].filter((entry) => entry.orgId === orgId).length >= maxAccounts) {
      app.log.warn({ orgId, phone }, `an organization registers more than ${maxAccounts} accounts`);
      return undefined;
    }
    const entry = newEntry(options, id, number);
    entries.set(id, entry);
    byToken.set(entry.account.token, entry);
    return entry;
  }

  function leave(numberId: string, next: string | undefined): void {
    const id = joined.get(numberId);
    if (id === undefined || id === next) return;
    joined.delete(numberId);
    const entry = entries.get(id)!;
    entry.phones.delete(numberId);
    if (entry.phones.size > 0) return;
    entries.delete(id);
    byToken.delete(entry.account.token);
    options.post({ type: 'unregister', accountId: id });
  }

  function place(numberId: string, number: PhoneNumber | undefined): void {
    const isWanted = number?.status === 'active' && number.register && drivesCallsOf(number);
    const id = isWanted ? accountIdOf(number) : undefined;
    leave(numberId, id);
    if (id === undefined) return;
    const entry = entries.get(id) ?? begin(id, number!);
    if (!entry) return;
    joined.set(numberId, id);
    entry.phones.set(numberId, number!.phone);
    // The numbers of an account should have the same password; the one that was given last is the most likely to be right.
    const credentials = credentialsOf(app, number!) ?? entry.account.credentials;
    entry.account = { ...entry.account, credentials };
    options.post({ type: 'register', account: entry.account });
  }

  return {
    async load() {
      let last = '';
      for (;;) {
        const page = await registeredAfter(app.db, last, pageSize);
        for (const number of page) place(number.id, number);
        if (page.length < pageSize) break;
        last = page.at(-1)!.id;
      }
    },
    changed(orgId, numberId) {
      changing = changing.then(async () => place(numberId, await findNumber(app.db, orgId, numberId)));
      return changing;
    },
    record(accountId, report) {
      const entry = entries.get(accountId);
      if (entry) recordStatus(app, entry, report);
    },
    statusOf(number) {
      if (!drivesCallsOf(number)) return registrationOff('The carrier of the number is not sip.');
      return (entries.get(accountIdOf(number))?.status ?? begun) satisfies RegistrationStatus;
    },
    calledAt(user) {
      const entry = byToken.get(user);
      return entry && { orgId: entry.orgId, trunk: entry.trunk, phones: [...entry.phones.values()] };
    },
    all: () => [...entries.values()].map(({ account }) => account),
    list: (orgId) => [...entries.values()].filter((entry) => orgId === undefined || entry.orgId === orgId).map(listed),
  };
}

function newEntry({ secret, expiresSec }: NumberRegistrationsOptions, id: string, number: PhoneNumber): Entry {
  const token = createHmac('sha256', secret).update(`registration\n${id}`).digest('hex').slice(0, tokenChars);
  const trunk: Trunk = { uri: number.terminationUri!, transport: number.transport };
  const account: Account = { id, trunk, username: number.sipUsername!, credentials: null, token, expiresSec };
  return { orgId: number.orgId, trunk, account, phones: new Map(), status: begun };
}

function recordStatus(app: App, entry: Entry, { expiresInMs, ...report }: RegistrationReport): void {
  const isNew = entry.status.state !== report.state;
  entry.status = { ...report, expiresAt: expiresInMs === null ? null : app.clock.now() + expiresInMs };
  if (!isNew || report.state === 'registering') return;
  const { account, orgId } = entry;
  const fields = { orgId, trunk: account.trunk.uri, user: account.username, detail: report.detail };
  app.log[report.state === 'registered' ? 'info' : 'warn'](fields, `a SIP account is ${report.state}`);
}

const listed = ({ phones, trunk, status: { state, detail } }: Entry) => ({
  phones: [...phones.values()],
  trunk: trunk.uri,
  state,
  detail,
});

/** Names the account of a number that registers. */
function accountIdOf({ orgId, sipUsername, terminationUri, transport }: PhoneNumber): string {
  const { host, port, transport: named }: ResolvedTarget = readTarget({ uri: terminationUri!, transport });
  return [orgId, sipUsername, host.toLowerCase(), port ?? '', named].join('\n');
}
