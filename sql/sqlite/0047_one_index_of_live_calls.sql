-- One index of live calls instead of two, which each call enters when it is created and leaves when it ends. The live calls of a carrier are
-- found among those of all carriers: there are as many as all carriers together have lines.
DROP INDEX calls_live_of_driver;
DROP INDEX calls_live;
CREATE INDEX calls_live ON calls (organization_id, status, id, agent_id, campaign_id, driver) WHERE status IS NULL;
