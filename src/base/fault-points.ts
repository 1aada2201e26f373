import { channel } from 'node:diagnostics_channel';

/**
 * The moments at which a crash would do most harm: between two steps that belong together. Each is a diagnostics channel
 * `parley:<point>` without a listener, so it costs almost nothing. The crash tests preload a listener that kills the process at a point
 * (test/crash/kill-at.ts); no setting can do that.
 */
export const faultPoints = [
  /** A migration has changed the tables and is not recorded yet. */
  'migration.unrecorded',
  /** The first organization and its key are written and not committed. */
  'bootstrap.uncommitted',
  /** A request's changes are written, with its stored answer if it has an Idempotency-Key, and not committed. */
  'request.uncommitted',
  /** A request's changes are committed, and nothing has been answered. */
  'request.committed',
  /** A call attempt is committed, and the carrier does not know of it. */
  'dial.unsent',
  /** The carrier has answered, and its answer is not recorded. */
  'dial.unrecorded',
  /** A call that came in is written, and the carrier sip has not answered it. */
  'incoming.unanswered',
  /** The carrier sip has an answered call, and nothing of the answer is recorded. */
  'call-answer.unrecorded',
  /** A call's other side is gone, which is recorded, and the model that summarizes the call has not been asked. */
  'call-end.unanalyzed',
  /** The model has answered, and its summary is not recorded. */
  'analysis.unrecorded',
  /** The end of a call and everything that follows from it is written and not committed. */
  'call-end.uncommitted',
  /** The end of a call is committed, and none of its webhooks has been sent. */
  'call-end.committed',
  /** An endpoint has answered a delivery, and the answer is not recorded. */
  'delivery.unrecorded',
  /** A batch of calls is erased, and others are not. */
  'erasure.calls-erased',
  /** The files of an erased person's recordings are gone, which is not recorded. */
  'erasure.recordings-deleted',
  /** An erased contact is gone, and the erasure is not recorded as done. */
  'erasure.contact-deleted',
  /** A document has been read, and its text is not recorded. */
  'ingestion.unrecorded',
  /** A page of a site has been read, and its text is not recorded. */
  'page.unrecorded',
  /** A batch of long work and the job for the next one are written and not committed. */
  'batch.uncommitted',
  /** A batch of long work is committed, and the next one has not begun. */
  'batch.committed',
  /** All calling is stopped, and no call has been hung up for it. */
  'stop.committed',
  /** A redial has copied a batch of contacts into a draft that nobody sees yet. */
  'redial.batch',
  /** A part of a large request's contacts is stored, and nothing is decided. */
  'join.stored',
  /** It is decided that a large request's contacts join a campaign, and the first part has. */
  'join.decided',
  /** The copy of the database is complete, and the backup has not got its name. */
  'backup.unnamed',
  /** The backup is unpacked completely in the staging directory; a start would still discard it. */
  'restore.staged',
  /** The restore is decided: the next opening of the data directory finishes it. */
  'restore.decided',
  /** The old database has another name, and the restored one is not in its place yet. */
  'restore.database-kept',
  /** The restored database is in its place, but the secrets are still the old ones. */
  'restore.database-placed',
  /** The old secrets have another name, and the restored ones are not in their place yet. */
  'restore.secrets-kept',
  /** The restored database and secrets are in their places. */
  'restore.placed',
  /** A database holds all that was copied into it, and nothing of it is committed. */
  'copy.uncommitted',
  /** The copied database is complete, and the one that it was copied from is not marked as moved. */
  'copy.unmarked',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

const channels = new Map(faultPoints.map((point) => [point, channel(`parley:${point}`)]));

/** Marks that the process is at the point. */
export const faultPoint = (point: FaultPoint): void => channels.get(point)?.publish(undefined);
