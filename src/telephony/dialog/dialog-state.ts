import type { Credentials } from '../message/digest.ts';
import type { Hop } from '../transport/hop.ts';

/** A dialog (RFC 3261, section 12): what both sides repeat in every request of an answered call. */
export type Dialog = {
  callId: string;
  /** From and To of our requests, with their tags. */
  local: string;
  remote: string;
  /** The other side's Contact. */
  target: string;
  /** Route headers of our requests. */
  routes: readonly string[];
  localSeq: number;
  remoteSeq: number | null;
  hop: Hop;
  /** The hop that the call was set up over, for requests that `hop` does not take: an unreachable Contact is common. */
  setUpOver?: Hop;
  localHost: string;
  contact: string;
  credentials: Credentials | null;
  /** Whether a request that is too large for UDP goes by TCP: neither the number nor its trunk names UDP. */
  mayUseTcp: boolean;
};
