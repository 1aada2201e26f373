-- What was said in a call is stored with the call, and was stored again in the body of its event. Now bodies are shortened
-- (src/features/webhooks/stored-body.ts): one that begins with char(2) has char(3) in place of the transcripts. Events outlive calls whose
-- retention ends first, so the transcripts then move into the body, which begins with char(1) from then on.
CREATE TRIGGER deleted_calls_leave_transcripts BEFORE DELETE ON calls WHEN old.state = 'ended'
BEGIN
  UPDATE webhook_events SET body = char(1) || substr(replace(body, char(3), old.transcripts), 2)
  WHERE id = old.id AND unicode(body) = 2;
END;
CREATE TRIGGER changed_calls_leave_transcripts BEFORE UPDATE OF transcripts ON calls
WHEN old.state = 'ended' AND old.transcripts <> new.transcripts
BEGIN
  UPDATE webhook_events SET body = char(1) || substr(replace(body, char(3), old.transcripts), 2)
  WHERE id = old.id AND unicode(body) = 2;
END;
