-- How often a job was started after an earlier claim whose fate is unknown, to find jobs that crash the process. attempt cannot tell: it
-- counts claims, and most claimed jobs only wait in memory for others of their lane.
ALTER TABLE outbox ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;
