import { monotonicMs } from '../../base/clock.ts';

/**
 * Counts the TCP and TLS connections that others open to us. Anybody can open them, so unknown peers share a small number, and their
 * oldest connection is closed for a newer one. Connections of known sources, and those of calls, stay for as long as they last.
 */
export type UnknownPeers = {
  /** Counts a connection; undefined if it must be closed at once. `close` is called when a newer connection displaces it. */
  add(address: string, close: () => void): PeerConnection | undefined;
  count(): number;
};

export type PeerConnection = {
  readonly isUnknown: boolean;
  /** A message of a call of ours came over it: its peer is known now. */
  trust(): void;
  remove(): void;
};

export type PeerLimits = {
  /** All connections of unknown peers. */
  unknown: number;
  unknownPerAddress: number;
  /** Per owner of trunks, or per address of `sip.inbound_networks`. */
  perOwner: number;
  all: number;
};

/** A trunk needs one connection; some open one for each call, and `sip.max_calls` is 300 by default. */
const defaultLimits: PeerLimits = { unknown: 128, unknownPerAddress: 8, perOwner: 384, all: 1024 };

type Entry = { address: string; owner: string | undefined; openedMs: number; close: () => void };

/** `ownerOf` returns undefined for the address of an unknown peer. */
export function createUnknownPeers(
  ownerOf: (address: string) => string | undefined,
  limits: PeerLimits = defaultLimits,
): UnknownPeers {
  const entries = new Set<Entry>();

  const oldest = (among: readonly Entry[]): Entry => among.reduce((a, b) => (b.openedMs < a.openedMs ? b : a));
  function evict(entry: Entry): void {
    entries.delete(entry);
    entry.close();
  }

  const ofLargestOwner = (all: readonly Entry[]): readonly Entry[] =>
    [...Map.groupBy(all, ({ owner }) => owner).values()].reduce((a, b) => (b.length > a.length ? b : a));

  /** Whether the connection may stay; may close another one for it. */
  function makeRoom(address: string, owner: string | undefined): boolean {
    const all = [...entries];
    const unknown = all.filter((entry) => entry.owner === undefined);
    if (owner === undefined) {
      const neighbours = unknown.filter((entry) => entry.address === address);
      if (neighbours.length >= limits.unknownPerAddress) return false;
    } else if (all.filter((entry) => entry.owner === owner).length >= limits.perOwner) return false;
    const isFull = all.length >= limits.all || (owner === undefined && unknown.length >= limits.unknown);
    if (!isFull) return true;
    if (unknown.length > 0) {
      evict(oldest(unknown));
      return true;
    }
    // An owner with few connections takes a connection from the one with the most, so that nobody keeps all of them.
    const largest = ofLargestOwner(all);
    const own = all.filter((entry) => entry.owner === owner);
    if (owner === undefined || largest.length <= own.length + 1) return false;
    evict(oldest(largest));
    return true;
  }

  return {
    add(address, close) {
      const owner = ownerOf(address);
      if (!makeRoom(address, owner)) return undefined;
      const entry: Entry = { address, owner, openedMs: monotonicMs(), close };
      entries.add(entry);
      return {
        get isUnknown() {
          return entry.owner === undefined;
        },
        trust: () => (entry.owner ??= address),
        remove: () => entries.delete(entry),
      };
    },
    count: () => entries.size,
  };
}
