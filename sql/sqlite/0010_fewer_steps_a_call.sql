-- Looked up before every call: whether any contact with the number is flagged do-not-call, however many contacts share the number.
CREATE INDEX contacts_not_to_call ON contacts (organization_id, phone) WHERE do_not_call = 1;

-- Queries look for calls by final status only, so leave running calls out of the index.
DROP INDEX calls_by_status;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL;
