import { monotonicMs } from '../../base/clock.ts';

/** Where calls may come from, and how many each owner of trunks may send. */
export type Sources = {
  /** Changes the owners of trunk addresses; null takes an address out. */
  set(changes: ReadonlyArray<readonly [address: string, owner: string | null]>): void;
  /** Whether an INVITE from the address is taken: not from an unknown source, and not beyond its owner's pace. */
  admit(address: string): 'taken' | 'unknown' | 'too-many';
  /** The owner of trunks that an address belongs to, or the address itself in `sip.inbound_networks`; undefined for an unknown peer. */
  ownerOf(address: string): string | undefined;
};

/** New calls that an owner may send in one go, and per second after that. A trunk repeats what was dropped. */
const burst = 100;
const perSecond = 50;
/** Owners whose pace is remembered; each address of `sip.inbound_networks` that is no trunk's is one. */
const maxOwners = 10_000;

type Bucket = { tokens: number; atMs: number };

export function createSources(isInbound: (address: string) => boolean, nowMs = monotonicMs): Sources {
  const owners = new Map<string, string>();
  const buckets = new Map<string, Bucket>();

  function spend(owner: string): boolean {
    const at = nowMs();
    const { tokens, atMs } = buckets.get(owner) ?? { tokens: burst, atMs: at };
    const left = Math.min(burst, tokens + ((at - atMs) * perSecond) / 1000);
    if (!buckets.has(owner) && buckets.size >= maxOwners) buckets.clear();
    buckets.set(owner, { tokens: left >= 1 ? left - 1 : left, atMs: at });
    return left >= 1;
  }

  const ownerOf = (address: string): string | undefined =>
    owners.get(address) ?? (isInbound(address) ? address : undefined);

  return {
    ownerOf,
    set(changes) {
      for (const [address, owner] of changes) {
        if (owner === null) owners.delete(address);
        else owners.set(address, owner);
      }
    },
    admit(address) {
      const owner = ownerOf(address);
      if (owner === undefined) return 'unknown';
      return spend(owner) ? 'taken' : 'too-many';
    },
  };
}
