import type { EncryptedTable } from '../../kernel/encrypted-table.ts';

/** Phone numbers that calls are made from (docs/api/numbers.md). */

export const numberTypes = ['sip', 'purchased'] as const;
export const numberStatuses = ['active', 'released'] as const;
export const transports = ['udp', 'tcp', 'tls'] as const;
export const dialFormats = ['e164', 'digits'] as const;
export const sipFroms = ['number', 'username'] as const;

export type PhoneNumber = {
  id: string;
  orgId: string;
  /** E.164. At most one number with this phone is active, in any organization. */
  phone: string;
  name: string | null;
  /** `sip` numbers are imported from a SIP trunk, `purchased` ones bought from the inventory. */
  type: (typeof numberTypes)[number];
  terminationUri: string | null;
  sipUsername: string | null;
  /** Encrypted with the context `encryptionContext(id)`; never part of a response. */
  encryptedSipPassword: string | null;
  transport: (typeof transports)[number] | null;
  /** The name of a carrier driver; null means the carrier of `carrier.driver`. */
  carrier: string | null;
  /** The form in which the trunk expects called numbers: `digits` has no `+`. */
  dialFormat: (typeof dialFormats)[number];
  /** Whether parley registers `sipUsername` at the trunk, so that calls to the number come here. */
  register: boolean;
  /** The user in `From` of outgoing calls: the number, or `sipUsername`, which trunks of extensions and accounts expect. */
  sipFrom: (typeof sipFroms)[number];
  /** The agent that answers calls to the number; null if none does. */
  inboundAgentId: string | null;
  status: (typeof numberStatuses)[number];
  maxConcurrent: number;
  maxCps: number;
  /** Calls in flight, at most maxConcurrent. */
  inFlight: number;
  /** Earliest start of the next call, in Unix milliseconds. */
  paceAt: number;
  version: number;
  createdAt: number;
  releasedAt: number | null;
};

/** Limits of a new number. */
export const numberDefaults = { maxConcurrent: 100, maxCps: 10 } as const;

/** Binds an encrypted SIP password to its number, so that it cannot be decrypted for any other row. */
export const encryptionContext = (id: string): string => `number:${id}`;

export const encryptedSipPasswords: EncryptedTable = {
  table: 'phone_numbers',
  columns: ['sip_password_sealed'],
  key: ['id'],
  contextOf: (row) => encryptionContext(row['id']!),
};

/** A number that the operator's inventory offers for purchase. */
export type OfferedNumber = { phone: string; name: string | null; monthlyPrice: number | null };
