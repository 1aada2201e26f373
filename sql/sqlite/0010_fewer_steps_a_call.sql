-- Whether any contact with a number carries the flag, however many contacts have that number: asked before every call.
CREATE INDEX contacts_not_to_call ON contacts (organization_id, phone) WHERE do_not_call = 1;

-- Calls are looked for by how they ended: until then they need not be in that index.
DROP INDEX calls_by_status;
CREATE INDEX calls_by_status ON calls (organization_id, status, id) WHERE status IS NOT NULL;
