import { within } from '../../base/clock.ts';
import type { Hop } from '../transport/hop.ts';
import type { Account, RegistrationReport } from './account.ts';
import { Registration, type RegistrationContext } from './registration.ts';

/** All registrations of this process. */
export type Registrations = {
  /** Registers for an account. For one that is known already, tries again now, with the given credentials. */
  register(account: Account): void;
  unregister(accountId: string): void;
  /** A connection broke. */
  broken(hop: Hop, reason: string): void;
  /** Takes all Contacts back at their registrars; 2 s at most. */
  stop(): Promise<void>;
  /** Ends all timers, without a word to the registrars. */
  close(): void;
};

const maxStopMs = 2000;

type Entry = {
  registration: Registration;
  isEnding: boolean;
  /** The account is wanted again once its removal is over. */
  next: Account | null;
};

export function createRegistrations(
  context: RegistrationContext,
  report: (accountId: string, report: RegistrationReport) => void,
): Registrations {
  const entries = new Map<string, Entry>();
  let allEnded: () => void = () => undefined;

  function begin(account: Account, cseq?: number): void {
    const entry: Entry = {
      isEnding: false,
      next: null,
      registration: new Registration(
        context,
        account,
        {
          changed: (changed) => report(account.id, changed),
          ended: () => forget(account.id, entry),
        },
        cseq,
      ),
    };
    entries.set(account.id, entry);
    entry.registration.begin();
  }

  function forget(id: string, { next, registration }: Entry): void {
    entries.delete(id);
    if (next) begin(next, registration.cseq);
    else if (entries.size === 0) allEnded();
  }

  function unregister(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    entry.next = null;
    entry.isEnding = true;
    entry.registration.end();
  }

  return {
    register(account) {
      const known = entries.get(account.id);
      if (!known) begin(account);
      else if (known.isEnding) known.next = account;
      else known.registration.retry(account.credentials);
    },
    unregister,
    broken(hop, reason) {
      for (const { registration } of entries.values()) registration.broken(hop, reason);
    },
    async stop() {
      const ended = new Promise<void>((resolve) => (allEnded = resolve));
      for (const id of [...entries.keys()]) unregister(id);
      if (entries.size > 0) await within(maxStopMs, ended, () => undefined);
    },
    close() {
      for (const { registration } of entries.values()) registration.close();
      entries.clear();
    },
  };
}
