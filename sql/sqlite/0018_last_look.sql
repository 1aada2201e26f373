-- When the call was last handed to its carrier; null if the carrier certainly does not have it. After a restart, parley asks the carrier
-- about a call that was handed over, and decides anew whether to place any other.
ALTER TABLE calls ADD COLUMN handed_over_at INTEGER;
-- When the limits of calls per second first let the call start.
ALTER TABLE calls ADD COLUMN turn_at INTEGER;

UPDATE calls SET turn_at = started_at, handed_over_at = started_at WHERE state IN ('dialing', 'ringing', 'in_progress');
UPDATE calls SET handed_over_at = NULL
  WHERE state = 'dialing' AND id IN (
    SELECT key FROM outbox
    WHERE kind = 'call.dial' AND attempt = 0 AND lease_until IS NULL AND json_extract(payload, '$.doubt') IS NULL);

-- Finds the live calls of an agent that is to be deleted.
CREATE INDEX calls_live ON calls (agent_id) WHERE state <> 'ended';

-- Whether the carrier of a number is in reach. A number has a row from its first failure on.
CREATE TABLE carrier_pauses (
  phone_number_id TEXT PRIMARY KEY REFERENCES phone_numbers (id),
  organization_id TEXT NOT NULL REFERENCES organizations (id),
  -- When the pause began; null while the carrier is in reach.
  paused_at INTEGER,
  -- The next call from the number is not tried before this instant.
  probe_at INTEGER NOT NULL,
  -- How many calls have been tried since the pause began.
  probes INTEGER NOT NULL,
  -- Why the last call could not be handed over.
  reason TEXT NOT NULL,
  -- How many pauses have ended.
  resumptions INTEGER NOT NULL DEFAULT 0,
  noticed_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX carrier_pauses_of_organization ON carrier_pauses (organization_id);
CREATE INDEX carrier_pauses_open ON carrier_pauses (paused_at) WHERE paused_at IS NOT NULL;

-- How often the carrier was out of reach when this contact was called, while other calls got through in between; and `resumptions` of the
-- number when it last happened.
ALTER TABLE campaign_contacts ADD COLUMN unreachable_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE campaign_contacts ADD COLUMN unreachable_resumptions INTEGER;
