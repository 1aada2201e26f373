// Written by .build/generate-sql.ts from sql/counters.ts; change that file and run `npm run generate`.

export const countingTriggers = `
CREATE TRIGGER counting_contacts_in_organization_counts_on_insert AFTER INSERT ON contacts
WHEN (new.removed_at IS NULL)
BEGIN
  UPDATE organization_counts SET
    contacts = contacts + (new.removed_at IS NULL)
  WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER counting_contacts_in_organization_counts_on_delete AFTER DELETE ON contacts
WHEN (old.removed_at IS NULL)
BEGIN
  UPDATE organization_counts SET
    contacts = contacts - (old.removed_at IS NULL)
  WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER counting_contacts_in_organization_counts_on_update AFTER UPDATE OF removed_at ON contacts
WHEN (new.removed_at IS NULL) <> (old.removed_at IS NULL)
BEGIN
  UPDATE organization_counts SET
    contacts = contacts + (new.removed_at IS NULL) - (old.removed_at IS NULL)
  WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER counting_do_not_call_in_organization_counts_on_insert AFTER INSERT ON do_not_call
BEGIN
  UPDATE organization_counts SET
    do_not_call = do_not_call + 1
  WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER counting_do_not_call_in_organization_counts_on_delete AFTER DELETE ON do_not_call
BEGIN
  UPDATE organization_counts SET
    do_not_call = do_not_call - 1
  WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER counting_audit_log_in_organization_counts_on_insert AFTER INSERT ON audit_log
BEGIN
  UPDATE organization_counts SET
    audit_entries = audit_entries + 1
  WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER counting_audit_log_in_organization_counts_on_delete AFTER DELETE ON audit_log
BEGIN
  UPDATE organization_counts SET
    audit_entries = audit_entries - 1
  WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER counting_notices_in_organization_counts_on_insert AFTER INSERT ON notices
BEGIN
  UPDATE organization_counts SET
    notices = notices + 1
  WHERE organization_id = new.organization_id;
END;
CREATE TRIGGER counting_notices_in_organization_counts_on_delete AFTER DELETE ON notices
BEGIN
  UPDATE organization_counts SET
    notices = notices - 1
  WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER counting_contact_notes_in_contacts_on_insert AFTER INSERT ON contact_notes
BEGIN
  UPDATE contacts SET
    note_count = note_count + 1
  WHERE id = new.contact_id;
END;
CREATE TRIGGER counting_contact_notes_in_contacts_on_delete AFTER DELETE ON contact_notes
BEGIN
  UPDATE contacts SET
    note_count = note_count - 1
  WHERE id = old.contact_id;
END;
CREATE TRIGGER counting_calls_in_call_counts_on_insert AFTER INSERT ON calls
WHEN new.status IS NOT NULL
BEGIN
  INSERT INTO call_counts (organization_id, agent_id, campaign_id, status, calls)
  SELECT new.organization_id, '', '', new.status, 1 WHERE true
  UNION ALL SELECT new.organization_id, '', new.campaign_id, new.status, 1 WHERE new.campaign_id IS NOT NULL
  UNION ALL SELECT new.organization_id, new.agent_id, '', new.status, 1 WHERE new.agent_id IS NOT NULL
  UNION ALL SELECT new.organization_id, new.agent_id, new.campaign_id, new.status, 1 WHERE new.agent_id IS NOT NULL AND new.campaign_id IS NOT NULL
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_call_counts_on_delete AFTER DELETE ON calls
WHEN old.status IS NOT NULL
BEGIN
  UPDATE call_counts SET calls = calls - 1
  WHERE organization_id = old.organization_id AND agent_id IN ('', old.agent_id) AND campaign_id IN ('', old.campaign_id) AND status = old.status;
END;
CREATE TRIGGER counting_calls_in_call_counts_on_leave AFTER UPDATE OF agent_id, campaign_id, organization_id, status ON calls
WHEN old.status IS NOT NULL
  AND (old.agent_id IS NOT new.agent_id OR old.campaign_id IS NOT new.campaign_id OR old.organization_id IS NOT new.organization_id OR old.status IS NOT new.status)
BEGIN
  UPDATE call_counts SET calls = calls - 1
  WHERE organization_id = old.organization_id AND agent_id IN ('', old.agent_id) AND campaign_id IN ('', old.campaign_id) AND status = old.status;
END;
CREATE TRIGGER counting_calls_in_call_counts_on_enter AFTER UPDATE OF agent_id, campaign_id, organization_id, status ON calls
WHEN new.status IS NOT NULL
  AND (old.agent_id IS NOT new.agent_id OR old.campaign_id IS NOT new.campaign_id OR old.organization_id IS NOT new.organization_id OR old.status IS NOT new.status)
BEGIN
  INSERT INTO call_counts (organization_id, agent_id, campaign_id, status, calls)
  SELECT new.organization_id, '', '', new.status, 1 WHERE true
  UNION ALL SELECT new.organization_id, '', new.campaign_id, new.status, 1 WHERE new.campaign_id IS NOT NULL
  UNION ALL SELECT new.organization_id, new.agent_id, '', new.status, 1 WHERE new.agent_id IS NOT NULL
  UNION ALL SELECT new.organization_id, new.agent_id, new.campaign_id, new.status, 1 WHERE new.agent_id IS NOT NULL AND new.campaign_id IS NOT NULL
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_call_counts_by_start_on_insert AFTER INSERT ON calls
WHEN new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts_by_start (campaign_id, quarter, outcome, answered, calls)
  SELECT new.campaign_id, new.started_at - new.started_at % 900000, new.status, (new.answered_at IS NOT NULL), 1 WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_call_counts_by_start_on_delete AFTER DELETE ON calls
WHEN old.status IS NOT NULL AND old.campaign_id IS NOT NULL
BEGIN
  UPDATE call_counts_by_start SET calls = calls - 1
  WHERE campaign_id = old.campaign_id AND quarter = old.started_at - old.started_at % 900000 AND outcome = old.status AND answered = (old.answered_at IS NOT NULL);
END;
CREATE TRIGGER counting_calls_in_call_counts_by_start_on_leave AFTER UPDATE OF answered_at, campaign_id, started_at, status ON calls
WHEN old.status IS NOT NULL AND old.campaign_id IS NOT NULL
  AND (old.answered_at IS NOT new.answered_at OR old.campaign_id IS NOT new.campaign_id OR old.started_at IS NOT new.started_at OR old.status IS NOT new.status)
BEGIN
  UPDATE call_counts_by_start SET calls = calls - 1
  WHERE campaign_id = old.campaign_id AND quarter = old.started_at - old.started_at % 900000 AND outcome = old.status AND answered = (old.answered_at IS NOT NULL);
END;
CREATE TRIGGER counting_calls_in_call_counts_by_start_on_enter AFTER UPDATE OF answered_at, campaign_id, started_at, status ON calls
WHEN new.status IS NOT NULL AND new.campaign_id IS NOT NULL
  AND (old.answered_at IS NOT new.answered_at OR old.campaign_id IS NOT new.campaign_id OR old.started_at IS NOT new.started_at OR old.status IS NOT new.status)
BEGIN
  INSERT INTO call_counts_by_start (campaign_id, quarter, outcome, answered, calls)
  SELECT new.campaign_id, new.started_at - new.started_at % 900000, new.status, (new.answered_at IS NOT NULL), 1 WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_call_counts_by_end_on_insert AFTER INSERT ON calls
WHEN new.status IS NOT NULL AND new.campaign_id IS NOT NULL
BEGIN
  INSERT INTO call_counts_by_end (campaign_id, quarter, outcome, calls)
  SELECT new.campaign_id, new.ended_at - new.ended_at % 900000, new.status, 1 WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_call_counts_by_end_on_delete AFTER DELETE ON calls
WHEN old.status IS NOT NULL AND old.campaign_id IS NOT NULL
BEGIN
  UPDATE call_counts_by_end SET calls = calls - 1
  WHERE campaign_id = old.campaign_id AND quarter = old.ended_at - old.ended_at % 900000 AND outcome = old.status;
END;
CREATE TRIGGER counting_calls_in_call_counts_by_end_on_leave AFTER UPDATE OF campaign_id, ended_at, status ON calls
WHEN old.status IS NOT NULL AND old.campaign_id IS NOT NULL
  AND (old.campaign_id IS NOT new.campaign_id OR old.ended_at IS NOT new.ended_at OR old.status IS NOT new.status)
BEGIN
  UPDATE call_counts_by_end SET calls = calls - 1
  WHERE campaign_id = old.campaign_id AND quarter = old.ended_at - old.ended_at % 900000 AND outcome = old.status;
END;
CREATE TRIGGER counting_calls_in_call_counts_by_end_on_enter AFTER UPDATE OF campaign_id, ended_at, status ON calls
WHEN new.status IS NOT NULL AND new.campaign_id IS NOT NULL
  AND (old.campaign_id IS NOT new.campaign_id OR old.ended_at IS NOT new.ended_at OR old.status IS NOT new.status)
BEGIN
  INSERT INTO call_counts_by_end (campaign_id, quarter, outcome, calls)
  SELECT new.campaign_id, new.ended_at - new.ended_at % 900000, new.status, 1 WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_call_figures_on_insert AFTER INSERT ON calls
WHEN new.status IS NOT NULL AND new.channel <> 'web'
BEGIN
  INSERT INTO call_figures (organization_id, quarter, agent_id, edition, campaign_id, phone_number_id, direction, calls, answered, completed, voicemail, no_answer, busy, failed, goals_met, goals_judged, talk_sec, cost, latency_0, latency_1, latency_2, latency_3, latency_4, latency_5, latency_6, latency_7, latency_8, latency_9, latency_10, latency_11, latency_12, latency_13, latency_14, latency_15, latency_16, latency_17, latency_18, latency_19) VALUES (
    new.organization_id,
    coalesce(new.started_at, new.created_at) - coalesce(new.started_at, new.created_at) % 900000,
    new.agent_id,
    coalesce(new.agent_edition, 0),
    coalesce(new.campaign_id, ''),
    new.phone_number_id,
    new.direction,
    1,
    (new.answered_at IS NOT NULL),
    (new.status = 'completed'),
    (new.status = 'voicemail'),
    (new.status = 'no_answer'),
    (new.status = 'busy'),
    (new.status = 'failed'),
    coalesce(json_extract(new.analysis, '$.goals_met') = 1, 0),
    (json_extract(new.analysis, '$.goals_met') IS NOT NULL),
    new.duration_sec,
    new.cost_total,
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 0, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 1, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 2, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 3, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 4, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 5, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 6, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 7, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 8, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 9, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 10, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 11, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 12, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 13, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 14, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 15, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 16, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 17, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 18, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 19, 0))
  ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls,
    answered = answered + excluded.answered,
    completed = completed + excluded.completed,
    voicemail = voicemail + excluded.voicemail,
    no_answer = no_answer + excluded.no_answer,
    busy = busy + excluded.busy,
    failed = failed + excluded.failed,
    goals_met = goals_met + excluded.goals_met,
    goals_judged = goals_judged + excluded.goals_judged,
    talk_sec = talk_sec + excluded.talk_sec,
    cost = cost + excluded.cost,
    latency_0 = latency_0 + excluded.latency_0,
    latency_1 = latency_1 + excluded.latency_1,
    latency_2 = latency_2 + excluded.latency_2,
    latency_3 = latency_3 + excluded.latency_3,
    latency_4 = latency_4 + excluded.latency_4,
    latency_5 = latency_5 + excluded.latency_5,
    latency_6 = latency_6 + excluded.latency_6,
    latency_7 = latency_7 + excluded.latency_7,
    latency_8 = latency_8 + excluded.latency_8,
    latency_9 = latency_9 + excluded.latency_9,
    latency_10 = latency_10 + excluded.latency_10,
    latency_11 = latency_11 + excluded.latency_11,
    latency_12 = latency_12 + excluded.latency_12,
    latency_13 = latency_13 + excluded.latency_13,
    latency_14 = latency_14 + excluded.latency_14,
    latency_15 = latency_15 + excluded.latency_15,
    latency_16 = latency_16 + excluded.latency_16,
    latency_17 = latency_17 + excluded.latency_17,
    latency_18 = latency_18 + excluded.latency_18,
    latency_19 = latency_19 + excluded.latency_19;
END;
CREATE TRIGGER counting_calls_in_call_figures_on_leave AFTER UPDATE OF agent_edition, agent_id, analysis, answered_at, call_latency_ms, campaign_id, channel, cost_total, created_at, direction, duration_sec, organization_id, phone_number_id, started_at, status ON calls
WHEN old.status IS NOT NULL AND old.channel <> 'web'
  AND (old.agent_edition IS NOT new.agent_edition OR old.agent_id IS NOT new.agent_id OR old.analysis IS NOT new.analysis OR old.answered_at IS NOT new.answered_at OR old.call_latency_ms IS NOT new.call_latency_ms OR old.campaign_id IS NOT new.campaign_id OR old.channel IS NOT new.channel OR old.cost_total IS NOT new.cost_total OR old.created_at IS NOT new.created_at OR old.direction IS NOT new.direction OR old.duration_sec IS NOT new.duration_sec OR old.organization_id IS NOT new.organization_id OR old.phone_number_id IS NOT new.phone_number_id OR old.started_at IS NOT new.started_at OR old.status IS NOT new.status)
BEGIN
  UPDATE call_figures SET
    calls = calls - 1,
    answered = answered - (old.answered_at IS NOT NULL),
    completed = completed - (old.status = 'completed'),
    voicemail = voicemail - (old.status = 'voicemail'),
    no_answer = no_answer - (old.status = 'no_answer'),
    busy = busy - (old.status = 'busy'),
    failed = failed - (old.status = 'failed'),
    goals_met = goals_met - coalesce(json_extract(old.analysis, '$.goals_met') = 1, 0),
    goals_judged = goals_judged - (json_extract(old.analysis, '$.goals_met') IS NOT NULL),
    talk_sec = talk_sec - old.duration_sec,
    cost = cost - old.cost_total,
    latency_0 = latency_0 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 0, 0),
    latency_1 = latency_1 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 1, 0),
    latency_2 = latency_2 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 2, 0),
    latency_3 = latency_3 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 3, 0),
    latency_4 = latency_4 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 4, 0),
    latency_5 = latency_5 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 5, 0),
    latency_6 = latency_6 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 6, 0),
    latency_7 = latency_7 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 7, 0),
    latency_8 = latency_8 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 8, 0),
    latency_9 = latency_9 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 9, 0),
    latency_10 = latency_10 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 10, 0),
    latency_11 = latency_11 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 11, 0),
    latency_12 = latency_12 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 12, 0),
    latency_13 = latency_13 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 13, 0),
    latency_14 = latency_14 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 14, 0),
    latency_15 = latency_15 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 15, 0),
    latency_16 = latency_16 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 16, 0),
    latency_17 = latency_17 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 17, 0),
    latency_18 = latency_18 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 18, 0),
    latency_19 = latency_19 - coalesce(min(19, max(0, old.call_latency_ms / 100 - 1)) = 19, 0)
  WHERE organization_id = old.organization_id AND quarter = coalesce(old.started_at, old.created_at) - coalesce(old.started_at, old.created_at) % 900000 AND agent_id = old.agent_id AND edition = coalesce(old.agent_edition, 0) AND campaign_id = coalesce(old.campaign_id, '') AND phone_number_id = old.phone_number_id AND direction = old.direction;
END;
CREATE TRIGGER counting_calls_in_call_figures_on_enter AFTER UPDATE OF agent_edition, agent_id, analysis, answered_at, call_latency_ms, campaign_id, channel, cost_total, created_at, direction, duration_sec, organization_id, phone_number_id, started_at, status ON calls
WHEN new.status IS NOT NULL AND new.channel <> 'web'
  AND (old.agent_edition IS NOT new.agent_edition OR old.agent_id IS NOT new.agent_id OR old.analysis IS NOT new.analysis OR old.answered_at IS NOT new.answered_at OR old.call_latency_ms IS NOT new.call_latency_ms OR old.campaign_id IS NOT new.campaign_id OR old.channel IS NOT new.channel OR old.cost_total IS NOT new.cost_total OR old.created_at IS NOT new.created_at OR old.direction IS NOT new.direction OR old.duration_sec IS NOT new.duration_sec OR old.organization_id IS NOT new.organization_id OR old.phone_number_id IS NOT new.phone_number_id OR old.started_at IS NOT new.started_at OR old.status IS NOT new.status)
BEGIN
  INSERT INTO call_figures (organization_id, quarter, agent_id, edition, campaign_id, phone_number_id, direction, calls, answered, completed, voicemail, no_answer, busy, failed, goals_met, goals_judged, talk_sec, cost, latency_0, latency_1, latency_2, latency_3, latency_4, latency_5, latency_6, latency_7, latency_8, latency_9, latency_10, latency_11, latency_12, latency_13, latency_14, latency_15, latency_16, latency_17, latency_18, latency_19) VALUES (
    new.organization_id,
    coalesce(new.started_at, new.created_at) - coalesce(new.started_at, new.created_at) % 900000,
    new.agent_id,
    coalesce(new.agent_edition, 0),
    coalesce(new.campaign_id, ''),
    new.phone_number_id,
    new.direction,
    1,
    (new.answered_at IS NOT NULL),
    (new.status = 'completed'),
    (new.status = 'voicemail'),
    (new.status = 'no_answer'),
    (new.status = 'busy'),
    (new.status = 'failed'),
    coalesce(json_extract(new.analysis, '$.goals_met') = 1, 0),
    (json_extract(new.analysis, '$.goals_met') IS NOT NULL),
    new.duration_sec,
    new.cost_total,
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 0, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 1, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 2, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 3, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 4, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 5, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 6, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 7, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 8, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 9, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 10, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 11, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 12, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 13, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 14, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 15, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 16, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 17, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 18, 0),
    coalesce(min(19, max(0, new.call_latency_ms / 100 - 1)) = 19, 0))
  ON CONFLICT DO UPDATE SET
    calls = calls + excluded.calls,
    answered = answered + excluded.answered,
    completed = completed + excluded.completed,
    voicemail = voicemail + excluded.voicemail,
    no_answer = no_answer + excluded.no_answer,
    busy = busy + excluded.busy,
    failed = failed + excluded.failed,
    goals_met = goals_met + excluded.goals_met,
    goals_judged = goals_judged + excluded.goals_judged,
    talk_sec = talk_sec + excluded.talk_sec,
    cost = cost + excluded.cost,
    latency_0 = latency_0 + excluded.latency_0,
    latency_1 = latency_1 + excluded.latency_1,
    latency_2 = latency_2 + excluded.latency_2,
    latency_3 = latency_3 + excluded.latency_3,
    latency_4 = latency_4 + excluded.latency_4,
    latency_5 = latency_5 + excluded.latency_5,
    latency_6 = latency_6 + excluded.latency_6,
    latency_7 = latency_7 + excluded.latency_7,
    latency_8 = latency_8 + excluded.latency_8,
    latency_9 = latency_9 + excluded.latency_9,
    latency_10 = latency_10 + excluded.latency_10,
    latency_11 = latency_11 + excluded.latency_11,
    latency_12 = latency_12 + excluded.latency_12,
    latency_13 = latency_13 + excluded.latency_13,
    latency_14 = latency_14 + excluded.latency_14,
    latency_15 = latency_15 + excluded.latency_15,
    latency_16 = latency_16 + excluded.latency_16,
    latency_17 = latency_17 + excluded.latency_17,
    latency_18 = latency_18 + excluded.latency_18,
    latency_19 = latency_19 + excluded.latency_19;
END;
CREATE TRIGGER counting_calls_in_live_call_counts_on_insert AFTER INSERT ON calls
WHEN new.status IS NULL
BEGIN
  INSERT INTO live_call_counts (organization_id, driver, calls)
  SELECT new.organization_id, new.driver, 1 WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_calls_in_live_call_counts_on_delete AFTER DELETE ON calls
WHEN old.status IS NULL
BEGIN
  UPDATE live_call_counts SET calls = calls - 1
  WHERE organization_id = old.organization_id AND driver = old.driver;
END;
CREATE TRIGGER counting_calls_in_live_call_counts_on_leave AFTER UPDATE OF driver, organization_id, status ON calls
WHEN old.status IS NULL
  AND (old.driver IS NOT new.driver OR old.organization_id IS NOT new.organization_id OR old.status IS NOT new.status)
BEGIN
  UPDATE live_call_counts SET calls = calls - 1
  WHERE organization_id = old.organization_id AND driver = old.driver;
END;
CREATE TRIGGER counting_calls_in_live_call_counts_on_enter AFTER UPDATE OF driver, organization_id, status ON calls
WHEN new.status IS NULL
  AND (old.driver IS NOT new.driver OR old.organization_id IS NOT new.organization_id OR old.status IS NOT new.status)
BEGIN
  INSERT INTO live_call_counts (organization_id, driver, calls)
  SELECT new.organization_id, new.driver, 1 WHERE true
  ON CONFLICT DO UPDATE SET calls = calls + 1;
END;
CREATE TRIGGER counting_campaign_contacts_in_campaigns_on_insert AFTER INSERT ON campaign_contacts
WHEN (new.status = 'busy') OR (new.status = 'voicemail') OR (new.status = 'cancelled') OR (new.status = 'expired')
BEGIN
  UPDATE campaigns SET
    busy = busy + (new.status = 'busy'),
    voicemail = voicemail + (new.status = 'voicemail'),
    cancelled = cancelled + (new.status = 'cancelled'),
    expired = expired + (new.status = 'expired')
  WHERE id = new.campaign_id;
END;
CREATE TRIGGER counting_campaign_contacts_in_campaigns_on_delete AFTER DELETE ON campaign_contacts
WHEN (old.status = 'busy') OR (old.status = 'voicemail') OR (old.status = 'cancelled') OR (old.status = 'expired')
BEGIN
  UPDATE campaigns SET
    busy = busy - (old.status = 'busy'),
    voicemail = voicemail - (old.status = 'voicemail'),
    cancelled = cancelled - (old.status = 'cancelled'),
    expired = expired - (old.status = 'expired')
  WHERE id = old.campaign_id;
END;
CREATE TRIGGER counting_campaign_contacts_in_campaigns_on_update AFTER UPDATE OF status ON campaign_contacts
WHEN (new.status = 'busy') <> (old.status = 'busy')
  OR (new.status = 'voicemail') <> (old.status = 'voicemail')
  OR (new.status = 'cancelled') <> (old.status = 'cancelled')
  OR (new.status = 'expired') <> (old.status = 'expired')
BEGIN
  UPDATE campaigns SET
    busy = busy + (new.status = 'busy') - (old.status = 'busy'),
    voicemail = voicemail + (new.status = 'voicemail') - (old.status = 'voicemail'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled'),
    expired = expired + (new.status = 'expired') - (old.status = 'expired')
  WHERE id = new.campaign_id;
END;
CREATE TRIGGER counting_webhook_deliveries_in_delivery_counts_on_insert AFTER INSERT ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET
    total = total + 1,
    retrying = retrying + (new.status = 'retrying'),
    held = held + (new.status = 'held'),
    delivered = delivered + (new.status = 'delivered'),
    exhausted = exhausted + (new.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled')
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
CREATE TRIGGER counting_webhook_deliveries_in_delivery_counts_on_delete AFTER DELETE ON webhook_deliveries
BEGIN
  UPDATE delivery_counts SET
    total = total - 1,
    retrying = retrying - (old.status = 'retrying'),
    held = held - (old.status = 'held'),
    delivered = delivered - (old.status = 'delivered'),
    exhausted = exhausted - (old.status = 'exhausted'),
    cancelled = cancelled - (old.status = 'cancelled')
  WHERE organization_id = old.organization_id AND endpoint_id = old.endpoint_id;
END;
CREATE TRIGGER counting_webhook_deliveries_in_delivery_counts_on_update AFTER UPDATE OF status ON webhook_deliveries
WHEN (new.status = 'retrying') <> (old.status = 'retrying')
  OR (new.status = 'held') <> (old.status = 'held')
  OR (new.status = 'delivered') <> (old.status = 'delivered')
  OR (new.status = 'exhausted') <> (old.status = 'exhausted')
  OR (new.status = 'cancelled') <> (old.status = 'cancelled')
BEGIN
  UPDATE delivery_counts SET
    retrying = retrying + (new.status = 'retrying') - (old.status = 'retrying'),
    held = held + (new.status = 'held') - (old.status = 'held'),
    delivered = delivered + (new.status = 'delivered') - (old.status = 'delivered'),
    exhausted = exhausted + (new.status = 'exhausted') - (old.status = 'exhausted'),
    cancelled = cancelled + (new.status = 'cancelled') - (old.status = 'cancelled'),
    last_delivered_at = max(coalesce(new.delivered_at, last_delivered_at), coalesce(last_delivered_at, new.delivered_at))
  WHERE organization_id = new.organization_id AND endpoint_id = new.endpoint_id;
END;
CREATE TRIGGER counting_webhook_deliveries_in_deliveries_by_hour_on_insert AFTER INSERT ON webhook_deliveries
WHEN new.delivered_at IS NOT NULL
BEGIN
  INSERT INTO deliveries_by_hour (hour, organization_id, endpoint_id, delivered) VALUES (
    new.delivered_at - new.delivered_at % 3600000,
    new.organization_id,
    new.endpoint_id,
    1)
  ON CONFLICT DO UPDATE SET
    delivered = delivered + excluded.delivered;
END;
CREATE TRIGGER counting_webhook_deliveries_in_deliveries_by_hour_on_leave AFTER UPDATE OF delivered_at, endpoint_id, organization_id ON webhook_deliveries
WHEN old.delivered_at IS NOT NULL
  AND (old.delivered_at IS NOT new.delivered_at OR old.endpoint_id IS NOT new.endpoint_id OR old.organization_id IS NOT new.organization_id)
BEGIN
  UPDATE deliveries_by_hour SET
    delivered = delivered - 1
  WHERE hour = old.delivered_at - old.delivered_at % 3600000 AND organization_id = old.organization_id AND endpoint_id = old.endpoint_id;
END;
CREATE TRIGGER counting_webhook_deliveries_in_deliveries_by_hour_on_enter AFTER UPDATE OF delivered_at, endpoint_id, organization_id ON webhook_deliveries
WHEN new.delivered_at IS NOT NULL
  AND (old.delivered_at IS NOT new.delivered_at OR old.endpoint_id IS NOT new.endpoint_id OR old.organization_id IS NOT new.organization_id)
BEGIN
  INSERT INTO deliveries_by_hour (hour, organization_id, endpoint_id, delivered) VALUES (
    new.delivered_at - new.delivered_at % 3600000,
    new.organization_id,
    new.endpoint_id,
    1)
  ON CONFLICT DO UPDATE SET
    delivered = delivered + excluded.delivered;
END;
CREATE TRIGGER counting_knowledge_sources_in_knowledge_source_counts_on_insert AFTER INSERT ON knowledge_sources
WHEN new.removed_at IS NULL
BEGIN
  INSERT INTO knowledge_source_counts (knowledge_base_id, type, status, sources)
  SELECT new.knowledge_base_id, new.type, new.status, 1 WHERE true
  ON CONFLICT DO UPDATE SET sources = sources + 1;
END;
CREATE TRIGGER counting_knowledge_sources_in_knowledge_source_counts_on_delete AFTER DELETE ON knowledge_sources
WHEN old.removed_at IS NULL
BEGIN
  UPDATE knowledge_source_counts SET sources = sources - 1
  WHERE knowledge_base_id = old.knowledge_base_id AND type = old.type AND status = old.status;
END;
CREATE TRIGGER counting_knowledge_sources_in_knowledge_source_counts_on_leave AFTER UPDATE OF knowledge_base_id, removed_at, status, type ON knowledge_sources
WHEN old.removed_at IS NULL
  AND (old.knowledge_base_id IS NOT new.knowledge_base_id OR old.removed_at IS NOT new.removed_at OR old.status IS NOT new.status OR old.type IS NOT new.type)
BEGIN
  UPDATE knowledge_source_counts SET sources = sources - 1
  WHERE knowledge_base_id = old.knowledge_base_id AND type = old.type AND status = old.status;
END;
CREATE TRIGGER counting_knowledge_sources_in_knowledge_source_counts_on_enter AFTER UPDATE OF knowledge_base_id, removed_at, status, type ON knowledge_sources
WHEN new.removed_at IS NULL
  AND (old.knowledge_base_id IS NOT new.knowledge_base_id OR old.removed_at IS NOT new.removed_at OR old.status IS NOT new.status OR old.type IS NOT new.type)
BEGIN
  INSERT INTO knowledge_source_counts (knowledge_base_id, type, status, sources)
  SELECT new.knowledge_base_id, new.type, new.status, 1 WHERE true
  ON CONFLICT DO UPDATE SET sources = sources + 1;
END;
CREATE TRIGGER counting_knowledge_pages_in_knowledge_crawls_on_insert AFTER INSERT ON knowledge_pages
WHEN (new.document_id IS NOT NULL) OR (new.state = 'kept') OR (new.kind = 'page' AND new.state = 'found') OR (new.kind = 'page' AND new.state IN ('blocked', 'asking')) OR (new.kind <> 'page' AND new.state IN ('blocked', 'asking')) OR (new.kind = 'sitemap')
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found + (new.document_id IS NOT NULL),
    pages_kept = pages_kept + (new.state = 'kept'),
    pages_new = pages_new + (new.kind = 'page' AND new.state = 'found'),
    pages_requested = pages_requested + (new.kind = 'page' AND new.state IN ('blocked', 'asking')),
    files_requested = files_requested + (new.kind <> 'page' AND new.state IN ('blocked', 'asking')),
    sitemaps = sitemaps + (new.kind = 'sitemap')
  WHERE source_id = new.source_id;
END;
CREATE TRIGGER counting_knowledge_pages_in_knowledge_crawls_on_delete AFTER DELETE ON knowledge_pages
WHEN (old.document_id IS NOT NULL) OR (old.state = 'kept') OR (old.kind = 'page' AND old.state = 'found') OR (old.kind = 'page' AND old.state IN ('blocked', 'asking')) OR (old.kind <> 'page' AND old.state IN ('blocked', 'asking')) OR (old.kind = 'sitemap')
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found - (old.document_id IS NOT NULL),
    pages_kept = pages_kept - (old.state = 'kept'),
    pages_new = pages_new - (old.kind = 'page' AND old.state = 'found'),
    pages_requested = pages_requested - (old.kind = 'page' AND old.state IN ('blocked', 'asking')),
    files_requested = files_requested - (old.kind <> 'page' AND old.state IN ('blocked', 'asking')),
    sitemaps = sitemaps - (old.kind = 'sitemap')
  WHERE source_id = old.source_id;
END;
CREATE TRIGGER counting_knowledge_pages_in_knowledge_crawls_on_update AFTER UPDATE OF document_id, kind, state ON knowledge_pages
WHEN (new.document_id IS NOT NULL) <> (old.document_id IS NOT NULL)
  OR (new.state = 'kept') <> (old.state = 'kept')
  OR (new.kind = 'page' AND new.state = 'found') <> (old.kind = 'page' AND old.state = 'found')
  OR (new.kind = 'page' AND new.state IN ('blocked', 'asking')) <> (old.kind = 'page' AND old.state IN ('blocked', 'asking'))
  OR (new.kind <> 'page' AND new.state IN ('blocked', 'asking')) <> (old.kind <> 'page' AND old.state IN ('blocked', 'asking'))
  OR (new.kind = 'sitemap') <> (old.kind = 'sitemap')
BEGIN
  UPDATE knowledge_crawls SET
    pages_found = pages_found + (new.document_id IS NOT NULL) - (old.document_id IS NOT NULL),
    pages_kept = pages_kept + (new.state = 'kept') - (old.state = 'kept'),
    pages_new = pages_new + (new.kind = 'page' AND new.state = 'found') - (old.kind = 'page' AND old.state = 'found'),
    pages_requested = pages_requested + (new.kind = 'page' AND new.state IN ('blocked', 'asking')) - (old.kind = 'page' AND old.state IN ('blocked', 'asking')),
    files_requested = files_requested + (new.kind <> 'page' AND new.state IN ('blocked', 'asking')) - (old.kind <> 'page' AND old.state IN ('blocked', 'asking')),
    sitemaps = sitemaps + (new.kind = 'sitemap') - (old.kind = 'sitemap')
  WHERE source_id = new.source_id;
END;
CREATE TRIGGER counting_retrieval_passages_in_retrieval_bases_on_insert AFTER INSERT ON retrieval_passages
BEGIN
  UPDATE retrieval_bases SET
    passages = passages + 1,
    words = words + new.length
  WHERE id = new.base_id;
END;
CREATE TRIGGER counting_retrieval_passages_in_retrieval_bases_on_delete AFTER DELETE ON retrieval_passages
BEGIN
  UPDATE retrieval_bases SET
    passages = passages - 1,
    words = words - old.length
  WHERE id = old.base_id;
END;
CREATE TRIGGER counting_retrieval_passages_in_retrieval_bases_on_update AFTER UPDATE OF length ON retrieval_passages
WHEN new.length <> old.length
BEGIN
  UPDATE retrieval_bases SET
    words = words + new.length - old.length
  WHERE id = new.base_id;
END;
CREATE TRIGGER counting_retrieval_unembedded_in_retrieval_bases_on_insert AFTER INSERT ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET
    pending = pending + 1
  WHERE id = new.base_id;
END;
CREATE TRIGGER counting_retrieval_unembedded_in_retrieval_bases_on_delete AFTER DELETE ON retrieval_unembedded
BEGIN
  UPDATE retrieval_bases SET
    pending = pending - 1
  WHERE id = old.base_id;
END;
`;

/** Each query yields a row where a kept number differs from the rows that it counts. */
export const recounts: ReadonlyArray<{ what: string; query: string }> = [
  {
    what: 'contacts',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE t.removed_at IS NULL) AS contacts
      FROM contacts t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.contacts <> coalesce(c.contacts, 0)`,
  },
  {
    what: 'phones not to call',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE true) AS do_not_call
      FROM do_not_call t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.do_not_call <> coalesce(c.do_not_call, 0)`,
  },
  {
    what: 'audit entries',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE true) AS audit_entries
      FROM audit_log t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.audit_entries <> coalesce(c.audit_entries, 0)`,
  },
  {
    what: 'notices',
    query: `SELECT 1 FROM organization_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, count(*) FILTER (WHERE true) AS notices
      FROM notices t GROUP BY 1) c
    ON c.by_organization_id = k.organization_id
    WHERE k.notices <> coalesce(c.notices, 0)`,
  },
  {
    what: 'notes of contacts',
    query: `SELECT 1 FROM contacts k
    LEFT JOIN (SELECT t.contact_id AS by_id, count(*) FILTER (WHERE true) AS note_count
      FROM contact_notes t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.note_count <> coalesce(c.note_count, 0)`,
  },
  {
    what: 'calls',
    query: `SELECT 1 FROM (
      SELECT t.organization_id AS organization_id, '' AS agent_id, '' AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT t.organization_id AS organization_id, '' AS agent_id, t.campaign_id AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT t.organization_id AS organization_id, t.agent_id AS agent_id, '' AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.agent_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT t.organization_id AS organization_id, t.agent_id AS agent_id, t.campaign_id AS campaign_id, t.status AS status, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.organization_id IS NOT NULL AND t.agent_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT organization_id, agent_id, campaign_id, status, 0, calls FROM call_counts) AS numbers
    GROUP BY organization_id, agent_id, campaign_id, status HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'calls by their start',
    query: `SELECT 1 FROM (
      SELECT t.campaign_id AS campaign_id, t.started_at - t.started_at % 900000 AS quarter, t.status AS outcome, (t.answered_at IS NOT NULL) AS answered, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.campaign_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.started_at - t.started_at % 900000 IS NOT NULL AND t.status IS NOT NULL AND (t.answered_at IS NOT NULL) IS NOT NULL GROUP BY 1, 2, 3, 4
      UNION ALL SELECT campaign_id, quarter, outcome, answered, 0, calls FROM call_counts_by_start) AS numbers
    GROUP BY campaign_id, quarter, outcome, answered HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'calls by their end',
    query: `SELECT 1 FROM (
      SELECT t.campaign_id AS campaign_id, t.ended_at - t.ended_at % 900000 AS quarter, t.status AS outcome, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NOT NULL AND t.campaign_id IS NOT NULL AND t.campaign_id IS NOT NULL AND t.ended_at - t.ended_at % 900000 IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3
      UNION ALL SELECT campaign_id, quarter, outcome, 0, calls FROM call_counts_by_end) AS numbers
    GROUP BY campaign_id, quarter, outcome HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'figures of calls',
    query: `SELECT 1 FROM (SELECT t.organization_id AS organization_id,
        coalesce(t.started_at, t.created_at) - coalesce(t.started_at, t.created_at) % 900000 AS quarter,
        t.agent_id AS agent_id,
        coalesce(t.agent_edition, 0) AS edition,
        coalesce(t.campaign_id, '') AS campaign_id,
        t.phone_number_id AS phone_number_id,
        t.direction AS direction,
        sum(0 + 1) AS calls,
        sum(0 + (t.answered_at IS NOT NULL)) AS answered,
        sum(0 + (t.status = 'completed')) AS completed,
        sum(0 + (t.status = 'voicemail')) AS voicemail,
        sum(0 + (t.status = 'no_answer')) AS no_answer,
        sum(0 + (t.status = 'busy')) AS busy,
        sum(0 + (t.status = 'failed')) AS failed,
        sum(0 + coalesce(json_extract(t.analysis, '$.goals_met') = 1, 0)) AS goals_met,
        sum(0 + (json_extract(t.analysis, '$.goals_met') IS NOT NULL)) AS goals_judged,
        sum(0 + t.duration_sec) AS talk_sec,
        sum(0 + t.cost_total) AS cost,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 0, 0)) AS latency_0,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 1, 0)) AS latency_1,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 2, 0)) AS latency_2,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 3, 0)) AS latency_3,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 4, 0)) AS latency_4,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 5, 0)) AS latency_5,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 6, 0)) AS latency_6,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 7, 0)) AS latency_7,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 8, 0)) AS latency_8,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 9, 0)) AS latency_9,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 10, 0)) AS latency_10,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 11, 0)) AS latency_11,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 12, 0)) AS latency_12,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 13, 0)) AS latency_13,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 14, 0)) AS latency_14,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 15, 0)) AS latency_15,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 16, 0)) AS latency_16,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 17, 0)) AS latency_17,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 18, 0)) AS latency_18,
        sum(0 + coalesce(min(19, max(0, t.call_latency_ms / 100 - 1)) = 19, 0)) AS latency_19
      FROM calls t WHERE t.status IS NOT NULL AND t.channel <> 'web' GROUP BY 1, 2, 3, 4, 5, 6, 7) c
    LEFT JOIN call_figures k ON k.organization_id = c.organization_id AND k.quarter = c.quarter AND k.agent_id = c.agent_id AND k.edition = c.edition AND k.campaign_id = c.campaign_id AND k.phone_number_id = c.phone_number_id AND k.direction = c.direction
    WHERE coalesce(k.calls, 0) < c.calls - 0.001 OR coalesce(k.answered, 0) < c.answered - 0.001 OR coalesce(k.completed, 0) < c.completed - 0.001 OR coalesce(k.voicemail, 0) < c.voicemail - 0.001 OR coalesce(k.no_answer, 0) < c.no_answer - 0.001 OR coalesce(k.busy, 0) < c.busy - 0.001 OR coalesce(k.failed, 0) < c.failed - 0.001 OR coalesce(k.goals_met, 0) < c.goals_met - 0.001 OR coalesce(k.goals_judged, 0) < c.goals_judged - 0.001 OR coalesce(k.talk_sec, 0) < c.talk_sec - 0.001 OR coalesce(k.cost, 0) < c.cost - 0.001 OR coalesce(k.latency_0, 0) < c.latency_0 - 0.001 OR coalesce(k.latency_1, 0) < c.latency_1 - 0.001 OR coalesce(k.latency_2, 0) < c.latency_2 - 0.001 OR coalesce(k.latency_3, 0) < c.latency_3 - 0.001 OR coalesce(k.latency_4, 0) < c.latency_4 - 0.001 OR coalesce(k.latency_5, 0) < c.latency_5 - 0.001 OR coalesce(k.latency_6, 0) < c.latency_6 - 0.001 OR coalesce(k.latency_7, 0) < c.latency_7 - 0.001 OR coalesce(k.latency_8, 0) < c.latency_8 - 0.001 OR coalesce(k.latency_9, 0) < c.latency_9 - 0.001 OR coalesce(k.latency_10, 0) < c.latency_10 - 0.001 OR coalesce(k.latency_11, 0) < c.latency_11 - 0.001 OR coalesce(k.latency_12, 0) < c.latency_12 - 0.001 OR coalesce(k.latency_13, 0) < c.latency_13 - 0.001 OR coalesce(k.latency_14, 0) < c.latency_14 - 0.001 OR coalesce(k.latency_15, 0) < c.latency_15 - 0.001 OR coalesce(k.latency_16, 0) < c.latency_16 - 0.001 OR coalesce(k.latency_17, 0) < c.latency_17 - 0.001 OR coalesce(k.latency_18, 0) < c.latency_18 - 0.001 OR coalesce(k.latency_19, 0) < c.latency_19 - 0.001`,
  },
  {
    what: 'live calls',
    query: `SELECT 1 FROM (
      SELECT t.organization_id AS organization_id, t.driver AS driver, count(*) AS counted, 0 AS kept
      FROM calls t WHERE t.status IS NULL AND t.organization_id IS NOT NULL AND t.driver IS NOT NULL GROUP BY 1, 2
      UNION ALL SELECT organization_id, driver, 0, calls FROM live_call_counts) AS numbers
    GROUP BY organization_id, driver HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'campaign contacts',
    query: `SELECT 1 FROM campaigns k
    LEFT JOIN (SELECT t.campaign_id AS by_id, count(*) FILTER (WHERE t.status = 'busy') AS busy, count(*) FILTER (WHERE t.status = 'voicemail') AS voicemail, count(*) FILTER (WHERE t.status = 'cancelled') AS cancelled, count(*) FILTER (WHERE t.status = 'expired') AS expired
      FROM campaign_contacts t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.busy <> coalesce(c.busy, 0) OR k.voicemail <> coalesce(c.voicemail, 0) OR k.cancelled <> coalesce(c.cancelled, 0) OR k.expired <> coalesce(c.expired, 0)`,
  },
  {
    what: 'deliveries',
    query: `SELECT 1 FROM delivery_counts k
    LEFT JOIN (SELECT t.organization_id AS by_organization_id, t.endpoint_id AS by_endpoint_id, count(*) FILTER (WHERE true) AS total, count(*) FILTER (WHERE t.status = 'retrying') AS retrying, count(*) FILTER (WHERE t.status = 'held') AS held, count(*) FILTER (WHERE t.status = 'delivered') AS delivered, count(*) FILTER (WHERE t.status = 'exhausted') AS exhausted, count(*) FILTER (WHERE t.status = 'cancelled') AS cancelled
      FROM webhook_deliveries t GROUP BY 1, 2) c
    ON c.by_organization_id = k.organization_id AND c.by_endpoint_id = k.endpoint_id
    WHERE k.total <> coalesce(c.total, 0) OR k.retrying <> coalesce(c.retrying, 0) OR k.held <> coalesce(c.held, 0) OR k.delivered <> coalesce(c.delivered, 0) OR k.exhausted <> coalesce(c.exhausted, 0) OR k.cancelled <> coalesce(c.cancelled, 0)`,
  },
  {
    what: 'deliveries by hour',
    query: `SELECT 1 FROM (SELECT t.delivered_at - t.delivered_at % 3600000 AS hour,
        t.organization_id AS organization_id,
        t.endpoint_id AS endpoint_id,
        sum(0 + 1) AS delivered
      FROM webhook_deliveries t WHERE t.delivered_at IS NOT NULL GROUP BY 1, 2, 3) c
    LEFT JOIN deliveries_by_hour k ON k.hour = c.hour AND k.organization_id = c.organization_id AND k.endpoint_id = c.endpoint_id
    WHERE coalesce(k.delivered, 0) < c.delivered - 0.001`,
  },
  {
    what: 'sources',
    query: `SELECT 1 FROM (
      SELECT t.knowledge_base_id AS knowledge_base_id, t.type AS type, t.status AS status, count(*) AS counted, 0 AS kept
      FROM knowledge_sources t WHERE t.removed_at IS NULL AND t.knowledge_base_id IS NOT NULL AND t.type IS NOT NULL AND t.status IS NOT NULL GROUP BY 1, 2, 3
      UNION ALL SELECT knowledge_base_id, type, status, 0, sources FROM knowledge_source_counts) AS numbers
    GROUP BY knowledge_base_id, type, status HAVING sum(counted) <> sum(kept)`,
  },
  {
    what: 'pages of crawls',
    query: `SELECT 1 FROM knowledge_crawls k
    LEFT JOIN (SELECT t.source_id AS by_source_id, count(*) FILTER (WHERE t.document_id IS NOT NULL) AS pages_found, count(*) FILTER (WHERE t.state = 'kept') AS pages_kept, count(*) FILTER (WHERE t.kind = 'page' AND t.state = 'found') AS pages_new, count(*) FILTER (WHERE t.kind = 'page' AND t.state IN ('blocked', 'asking')) AS pages_requested, count(*) FILTER (WHERE t.kind <> 'page' AND t.state IN ('blocked', 'asking')) AS files_requested, count(*) FILTER (WHERE t.kind = 'sitemap') AS sitemaps
      FROM knowledge_pages t GROUP BY 1) c
    ON c.by_source_id = k.source_id
    WHERE k.pages_found <> coalesce(c.pages_found, 0) OR k.pages_kept <> coalesce(c.pages_kept, 0) OR k.pages_new <> coalesce(c.pages_new, 0) OR k.pages_requested <> coalesce(c.pages_requested, 0) OR k.files_requested <> coalesce(c.files_requested, 0) OR k.sitemaps <> coalesce(c.sitemaps, 0)`,
  },
  {
    what: 'passages',
    query: `SELECT 1 FROM retrieval_bases k
    LEFT JOIN (SELECT t.base_id AS by_id, count(*) FILTER (WHERE true) AS passages, sum(t.length) AS words
      FROM retrieval_passages t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.passages <> coalesce(c.passages, 0) OR k.words <> coalesce(c.words, 0)`,
  },
  {
    what: 'passages that wait for a vector',
    query: `SELECT 1 FROM retrieval_bases k
    LEFT JOIN (SELECT t.base_id AS by_id, count(*) FILTER (WHERE true) AS pending
      FROM retrieval_unembedded t GROUP BY 1) c
    ON c.by_id = k.id
    WHERE k.pending <> coalesce(c.pending, 0)`,
  },
];
