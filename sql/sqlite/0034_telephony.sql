-- The carrier that places the number's calls; NULL means the one of `carrier.driver`.
ALTER TABLE phone_numbers ADD COLUMN carrier TEXT CHECK (carrier IN ('sip', 'http'));
-- The form in which the trunk expects called numbers: with + (`e164`) or without (`digits`).
ALTER TABLE phone_numbers ADD COLUMN dial_format TEXT NOT NULL DEFAULT 'e164' CHECK (dial_format IN ('e164', 'digits'));
-- The agent that answers calls to the number; NULL if none does.
ALTER TABLE phone_numbers ADD COLUMN inbound_agent_id TEXT REFERENCES agents (id) ON DELETE SET NULL;
CREATE INDEX phone_numbers_of_inbound_agent ON phone_numbers (inbound_agent_id) WHERE inbound_agent_id IS NOT NULL;
CREATE INDEX phone_numbers_by_carrier ON phone_numbers (carrier) WHERE carrier IS NOT NULL AND status = 'active';

ALTER TABLE agents ADD COLUMN silence_timeout_ms INTEGER NOT NULL DEFAULT 30000;
ALTER TABLE agents ADD COLUMN transfer_phone TEXT;

-- The carrier driver that the call was made for; NULL for calls from before this column existed, which belong to `carrier.driver`.
ALTER TABLE calls ADD COLUMN driver TEXT;
ALTER TABLE calls ADD COLUMN direction TEXT NOT NULL DEFAULT 'outbound' CHECK (direction IN ('outbound', 'inbound'));
-- A JSON object with the facts that the carrier `sip` knows about the call.
ALTER TABLE calls ADD COLUMN sip TEXT;

-- What happened in a call, in order.
CREATE TABLE call_timeline (
  call_id TEXT NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (call_id, number)
) STRICT, WITHOUT ROWID;
