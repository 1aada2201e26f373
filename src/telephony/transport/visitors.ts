import { monotonicMs } from '../../base/clock.ts';

/**
 * The TCP and TLS connections that others open to us. Anybody can open them, so strangers share a small number: one that nothing of ours
 * came from gives way to a newer one. Connections of known sources, and those of calls, stay for as long as they last.
 */
export type Visitors = {
  /** Counts a connection; undefined if it must be closed at once. `close` is called when a newer connection needs the place. */
  enter(address: string, close: () => void): Visit | undefined;
  count(): number;
};

export type Visit = {
  readonly isStranger: boolean;
  /** Something of ours came over it: it is no stranger's any more. */
  trust(): void;
  leave(): void;
};

export type VisitorLimits = {
  strangers: number;
  strangersPerAddress: number;
  /** Per owner of trunks, or per address of `sip.inbound_networks`. */
  perOwner: number;
  all: number;
};

/** A trunk needs one connection; some open one for each call, and `sip.max_calls` is 300 by default. */
const defaultLimits: VisitorLimits = { strangers: 128, strangersPerAddress: 8, perOwner: 384, all: 1024 };

type Entry = { address: string; owner: string | undefined; enteredMs: number; close: () => void };

/** `ownerOf` is undefined for the address of a stranger. */
export function createVisitors(
  ownerOf: (address: string) => string | undefined,
  limits: VisitorLimits = defaultLimits,
): Visitors {
  const entries = new Set<Entry>();

  const oldest = (among: readonly Entry[]): Entry => among.reduce((a, b) => (b.enteredMs < a.enteredMs ? b : a));
  function give(entry: Entry): void {
    entries.delete(entry);
    entry.close();
  }

  const ofLargestOwner = (all: readonly Entry[]): readonly Entry[] =>
    [...Map.groupBy(all, ({ owner }) => owner).values()].reduce((a, b) => (b.length > a.length ? b : a));

  /** Whether there is a place, after a stranger's connection was closed for it. */
  function makeRoom(address: string, owner: string | undefined): boolean {
    const all = [...entries];
    const strangers = all.filter((entry) => entry.owner === undefined);
    if (owner === undefined) {
      const neighbours = strangers.filter((entry) => entry.address === address);
      if (neighbours.length >= limits.strangersPerAddress) return false;
    } else if (all.filter((entry) => entry.owner === owner).length >= limits.perOwner) return false;
    const isFull = all.length >= limits.all || (owner === undefined && strangers.length >= limits.strangers);
    if (!isFull) return true;
    if (strangers.length > 0) {
      give(oldest(strangers));
      return true;
    }
    // An owner with few connections gets a place of the one with the most, so that nobody keeps all of them.
    const largest = ofLargestOwner(all);
    const own = all.filter((entry) => entry.owner === owner);
    if (owner === undefined || largest.length <= own.length + 1) return false;
    give(oldest(largest));
    return true;
  }

  return {
    enter(address, close) {
      const owner = ownerOf(address);
      if (!makeRoom(address, owner)) return undefined;
      const entry: Entry = { address, owner, enteredMs: monotonicMs(), close };
      entries.add(entry);
      return {
        get isStranger() {
          return entry.owner === undefined;
        },
        trust: () => (entry.owner ??= address),
        leave: () => entries.delete(entry),
      };
    },
    count: () => entries.size,
  };
}
