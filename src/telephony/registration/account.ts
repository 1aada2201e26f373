import type { Credentials } from '../message/digest.ts';
import type { Target } from '../transport/resolve.ts';
import type { RegistrationState } from './machine.ts';

/** An account at a registrar that parley registers for. */
export type Account = {
  id: string;
  trunk: Target;
  /** The user of To and From. */
  username: string;
  credentials: Credentials | null;
  /** The user of our Contact, which the registrar calls. Also names the Call-ID. */
  token: string;
  /** How long a REGISTER asks for. */
  expiresSec: number;
};

export type RegistrationReport = {
  state: RegistrationState;
  /** How long the registrar keeps our Contact from now on; null unless registered. */
  expiresInMs: number | null;
  /** The URI by which the registrar calls us; null before the first REGISTER. */
  contact: string | null;
  /** Code and phrase of the last answer, or the fault. */
  detail: string | null;
};
