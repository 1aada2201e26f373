-- Jobs of one lane with the same `exclusive` never run at the same time, such as webhooks about the same contact.
ALTER TABLE outbox ADD COLUMN exclusive TEXT;
-- The contact of an event's call or, where there is none, the phone number.
ALTER TABLE webhook_events ADD COLUMN subject TEXT;
