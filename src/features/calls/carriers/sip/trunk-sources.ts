import { isIP } from 'node:net';
import { after, within } from '../../../../base/clock.ts';
import { messageOf } from '../../../../base/errors.ts';
import { createSlots } from '../../../../base/fair/slots.ts';
import { canonicalAddress } from '../../../../base/outbound/addresses.ts';
import type { App } from '../../../../kernel/app.ts';
import { nameServers } from '../../../../telephony/transport/name-servers.ts';
import { addressesOfTrunk, readTarget, type Resolver } from '../../../../telephony/transport/resolve.ts';
import type { Trunk } from '../../../numbers/events.ts';
import { trunksAfter } from '../../../numbers/service.ts';
import { createAddressOwners } from './address-owners.ts';

/** Trunk addresses with their owners, for the telephony thread; null: no longer one. */
export type SourceChanges = ReadonlyArray<readonly [address: string, owner: string | null]>;

/** The addresses of all trunks: calls to a number may come from those of its own trunk (docs/api/telephony.md, "Incoming calls"). */
export type TrunkSources = {
  /** Reads the trunks of all numbers. */
  load(): Promise<void>;
  change(orgId: string, from: Trunk | null, to: Trunk | null): void;
  isFrom(orgId: string, trunk: Trunk, address: string): boolean;
  /** The trunks whose calls come from an address. */
  trunksAt(address: string): Array<{ orgId: string; trunk: Trunk }>;
  /** The organization that an address belongs to; the address itself where several share it. */
  ownerOf(address: string): string;
  /** For a telephony thread that knows none yet. */
  all(): SourceChanges;
  stop(): void;
};

export type TrunkSourcesOptions = {
  /** Whether an address is public, or in `sip.allow_networks`. */
  isAllowed(this: void, address: string): boolean;
  onChange(this: void, changes: SourceChanges): void;
  resolver?: Resolver;
};

/** Names are looked up again this often, since their addresses change. */
const refreshMs = 300_000;
/** A name server that does not answer must not keep the names of other organizations waiting. */
const lookupMs = 5000;
/** Trunks of one organization whose calls are taken; more would be look-ups without end. */
const maxTrunks = 1000;
const pageSize = 500;

type Entry = { orgId: string; trunk: Trunk; numbers: number; addresses: readonly string[] };

const keyOf = (orgId: string, { uri, transport }: Trunk): string => `${orgId} ${transport ?? ''} ${uri}`;

export function createTrunkSources(app: App, options: TrunkSourcesOptions): TrunkSources {
  const entries = new Map<string, Entry>();
  const trunksOf = new Map<string, number>();
  const owners = createAddressOwners();
  const lookups = createLookups(app, options, {
    isCurrent: (entry) => entries.get(keyOf(entry.orgId, entry.trunk)) === entry,
    found: setAddresses,
    named: () => [...entries.values()].filter(({ trunk }) => isIP(hostOf(trunk) ?? '') === 0),
  });

  const listed = (address: string) => [address, owners.has(address) ? owners.ownerOf(address) : null] as const;

  function setAddresses(entry: Entry, found: readonly string[]): void {
    const addresses = [...new Set(found.map((address) => canonicalAddress(address) ?? address))].filter(
      options.isAllowed,
    );
    const added = addresses.filter((address) => !entry.addresses.includes(address));
    const removed = entry.addresses.filter((address) => !addresses.includes(address));
    entry.addresses = addresses;
    for (const address of added) owners.add(address, entry.orgId);
    for (const address of removed) owners.remove(address, entry.orgId);
    if (added.length + removed.length > 0) options.onChange([...added, ...removed].map(listed));
  }

  function add(orgId: string, trunk: Trunk): void {
    const key = keyOf(orgId, trunk);
    const known = entries.get(key);
    if (known) return void (known.numbers += 1);
    const count = trunksOf.get(orgId) ?? 0;
    if (count >= maxTrunks) {
      const reason = `calls from its trunks after the first ${maxTrunks} are not taken`;
      return app.log.warn({ orgId, trunk: trunk.uri }, `an organization has too many SIP trunks: ${reason}`);
    }
    trunksOf.set(orgId, count + 1);
    const entry: Entry = { orgId, trunk, numbers: 1, addresses: [] };
    entries.set(key, entry);
    const host = hostOf(trunk);
    if (host === undefined) return;
    if (isIP(host) !== 0) setAddresses(entry, [host]);
    else void lookups.lookUp(entry);
  }

  function remove(orgId: string, trunk: Trunk): void {
    const key = keyOf(orgId, trunk);
    const entry = entries.get(key);
    if (!entry) return;
    entry.numbers -= 1;
    if (entry.numbers > 0) return;
    setAddresses(entry, []);
    entries.delete(key);
    trunksOf.set(orgId, trunksOf.get(orgId)! - 1);
  }

  return {
    async load() {
      let last = '';
      for (;;) {
        const page = await trunksAfter(app.db, last, pageSize);
        for (const { orgId, trunk } of page) add(orgId, trunk);
        if (page.length < pageSize) break;
        last = page.at(-1)!.numberId;
      }
      lookups.refresh();
    },
    change(orgId, from, to) {
      if (from) remove(orgId, from);
      if (to) add(orgId, to);
    },
    isFrom: (orgId, trunk, address) => entries.get(keyOf(orgId, trunk))?.addresses.includes(address) ?? false,
    trunksAt: (address) => [...entries.values()].filter(({ addresses }) => addresses.includes(address)),
    ownerOf: (address) => owners.ownerOf(address),
    all: () => owners.addresses().map(listed),
    stop: () => lookups.close(),
  };
}

type LookupEvents = {
  isCurrent(this: void, entry: Entry): boolean;
  found(this: void, entry: Entry, addresses: string[]): void;
  /** The trunks that have a name. */
  named(this: void): Entry[];
};

/** Looks names up one at a time; organizations take turns. */
function createLookups(app: App, { resolver = nameServers }: TrunkSourcesOptions, events: LookupEvents) {
  const slots = createSlots({ max: 1 });
  let isClosed = false;
  let cancelRefresh: () => void = () => undefined;

  async function lookUp(entry: Entry): Promise<void> {
    const isWanted = (): boolean => !isClosed && events.isCurrent(entry);
    try {
      const found = await slots.run(entry.orgId, () =>
        isWanted() ? within(lookupMs, addressesOfTrunk(entry.trunk, resolver), refuseLateAnswer) : Promise.resolve([]),
      );
      if (isWanted()) events.found(entry, found);
    } catch (error) {
      if (isClosed) return;
      // The addresses that were found before stay.
      const reason = messageOf(error);
      app.log.debug({ trunk: entry.trunk.uri, reason }, 'a trunk was not found; its calls are not taken');
    }
  }

  function refresh(): void {
    if (isClosed) return;
    cancelRefresh = after(refreshMs, () => void Promise.all(events.named().map(lookUp)).then(refresh));
  }

  return {
    lookUp,
    /** Looks all names up again every few minutes, until `close`. */
    refresh,
    close(): void {
      isClosed = true;
      cancelRefresh();
      void slots.close(() => new Error('the server is stopping'));
    },
  };
}

function hostOf(trunk: Trunk): string | undefined {
  try {
    return readTarget(trunk).host;
  } catch {
    return undefined;
  }
}

const refuseLateAnswer = (): never => {
  throw new Error(`no answer within ${lookupMs} ms`);
};
