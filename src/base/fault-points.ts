import { channel } from 'node:diagnostics_channel';

/**
 * Moments at which a crash would hurt most, between two things that must not come apart. Each is a diagnostics channel
 * `parley:<point>`; nothing here listens, so passing one costs a look at an empty list. The crash tests preload a listener that
 * ends the process at a point (test/crash/kill-at.ts): faults are injected from outside, and no setting can arm one.
 */
export const faultPoints = [
  /** Tables are made, the migration is not recorded yet. */
  'migration.unrecorded',
  /** The first organization and its key are written, not committed. */
  'bootstrap.uncommitted',
  /** What a request changes is written, its answer too if it has an Idempotency-Key; nothing is committed. */
  'request.uncommitted',
  /** It is committed, and nothing was answered yet. */
  'request.committed',
  /** The attempt is committed, the carrier not told yet. */
  'dial.unsent',
  /** The carrier has answered, which is not recorded yet. */
  'dial.unrecorded',
  /** A call's end with all that follows from it is written, not committed. */
  'call-end.uncommitted',
  /** It is committed, and nothing of it was sent yet. */
  'call-end.committed',
  /** An endpoint has answered a delivery, which is not recorded yet. */
  'delivery.unrecorded',
  /** A document was read, which is not recorded yet. */
  'ingestion.unrecorded',
  /** A page of a site was read, which is not recorded yet. */
  'page.unrecorded',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

const channels = new Map(faultPoints.map((point) => [point, channel(`parley:${point}`)]));

/** Tells whoever listens that the process is at the point. */
export const faultPoint = (point: FaultPoint): void => channels.get(point)?.publish(undefined);
