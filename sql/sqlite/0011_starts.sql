-- How often a job was begun again after a claim whose fate is unknown. attempt counts claims, and most that are claimed wait in memory
-- for others of their lane: of what ended the process it says nothing.
ALTER TABLE outbox ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
