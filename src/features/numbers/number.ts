import type { SealedTable } from '../../kernel/sealed.ts';

/** A phone number that calls are made from (interface, Imported phone number; contract, sections 8 and 12). */

export const numberTypes = ['sip', 'purchased'] as const;
export const numberStatuses = ['active', 'released'] as const;
export const transports = ['udp', 'tcp', 'tls'] as const;

export type PhoneNumber = {
  id: string;
  orgId: string;
  /** E.164; of all organizations' numbers at most one with this phone is active. */
  phone: string;
  name: string | null;
  /** Imported from a SIP trunk, or bought from the inventory. */
  type: (typeof numberTypes)[number];
  terminationUri: string | null;
  sipUsername: string | null;
  /** Sealed for `sealContext(id)`; never answered. */
  sipPasswordSealed: string | null;
  transport: (typeof transports)[number] | null;
  status: (typeof numberStatuses)[number];
  maxConcurrent: number;
  maxCps: number;
  /** Calls in flight, at most maxConcurrent. */
  inFlight: number;
  /** The instant from which the next call may start, Unix milliseconds. */
  paceAt: number;
  createdAt: number;
  releasedAt: number | null;
};

/** Limits of a number that says nothing else (contract, section 12). */
export const numberDefaults = { maxConcurrent: 100, maxCps: 10 } as const;

/** Binds a sealed SIP password to its number, so that it opens nowhere else. */
export const sealContext = (id: string): string => `number:${id}`;

export const sealedNumbers: SealedTable = {
  table: 'phone_numbers',
  columns: ['sip_password_sealed'],
  key: ['id'],
  contextOf: (row) => sealContext(row['id']!),
};

/** A number that the operator offers for purchase. */
export type OfferedNumber = { phone: string; name: string | null; monthlyPrice: number | null };
