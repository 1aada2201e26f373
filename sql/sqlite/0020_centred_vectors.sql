-- The vectors of one model share a large common part that says nothing about a text. Passages are compared relative to their base's
-- centre, the mean of its vectors.
CREATE TABLE retrieval_centres (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  base_id INTEGER NOT NULL REFERENCES retrieval_bases (id) ON DELETE CASCADE,
  space_id INTEGER NOT NULL REFERENCES retrieval_spaces (id),
  -- Mean of a sample of the base's vectors: little-endian 32-bit floats.
  mean BLOB NOT NULL,
  -- Vectors of the base when the mean was computed.
  vectors INTEGER NOT NULL,
  -- 1 once the sign bits of all vectors of the base are taken from this centre.
  is_complete INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX retrieval_centres_of_base ON retrieval_centres (base_id, space_id, id);

-- The centre that was subtracted before the sign bits were taken; 0: none.
ALTER TABLE retrieval_vectors ADD COLUMN centre_id INTEGER NOT NULL DEFAULT 0;

-- Vectors added since the base's newest centre was computed.
ALTER TABLE retrieval_bases ADD COLUMN vectors_added INTEGER NOT NULL DEFAULT 0;

-- Passages that wait for a vector, kept up to date by the triggers below.
ALTER TABLE retrieval_bases ADD COLUMN pending INTEGER NOT NULL DEFAULT 0;
UPDATE retrieval_bases SET pending = (SELECT count(*) FROM retrieval_unembedded WHERE base_id = retrieval_bases.id);

CREATE TRIGGER retrieval_unembedded_are_counted AFTER INSERT ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET pending = pending + 1 WHERE id = new.base_id;
END;
CREATE TRIGGER retrieval_unembedded_leave_the_count AFTER DELETE ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET pending = pending - 1 WHERE id = old.base_id;
END;

-- Earliest time of the next request for a passage, and how often the endpoint refused it.
ALTER TABLE retrieval_unembedded ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE retrieval_unembedded ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
CREATE INDEX retrieval_unembedded_due ON retrieval_unembedded (base_id, due_at, passage_id);

-- Earlier versions gave up on passages that the endpoint refused, and knew no centres. When no space is current, the next start looks
-- through all passages: it lists those without a vector again and gives every base a centre.
UPDATE retrieval_spaces SET is_current = 0;
