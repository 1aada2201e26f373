/** Where packets come from or go to. */
export type Endpoint = { address: string; port: number };

const isSame = (a: Endpoint, b: Endpoint): boolean => a.port === b.port && a.address === b.address;

/**
 * The sources whose packets are accepted (docs/api/telephony.md, "Sound"): packets from the address in the session description, or, behind
 * NAT, packets of the first other source that sends a valid packet. The described address takes the lock back when it is heard, so that a
 * third party who is faster than the other side silences it only until then.
 */
export type SourceLock = {
  /** Whether packets from this source count if they are valid. */
  mayAccept(source: Endpoint): boolean;
  /** A valid packet came from a source that `mayAccept` allows. */
  lockTo(source: Endpoint): void;
  /** Where to send: to the locked source, else to the described address. */
  target(): Endpoint;
};

/** `mayUse`: whether packets may go to an address that no session description named. */
export function sourceLock(described: Endpoint, mayUse: (address: string) => boolean): SourceLock {
  let locked: Endpoint | undefined;
  return {
    mayAccept: (source) =>
      isSame(source, described) || (locked === undefined ? mayUse(source.address) : isSame(source, locked)),
    lockTo({ address, port }) {
      if (locked?.port !== port || locked.address !== address) locked = { address, port };
    },
    target: () => locked ?? described,
  };
}
