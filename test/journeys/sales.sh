# A day in sales operations: from a file that somebody exported to the results of two rounds of calls.
set -euo pipefail
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT

parley serve --ephemeral --port 0 --ready-file ready.json --test-clock 2026-03-02T09:00:00Z > /dev/null 2> parley.log &
until [ -s ready.json ]; do kill -0 $!; sleep 0.1; done
URL=$(jq -r .url ready.json)
KEY=$(jq -r .api_key ready.json)
api() { curl -sS --fail-with-body -X "$1" -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' "$URL$2" ${3:+-d "$3"}; }
advance() { api POST /api/v1/test-clock/advance "{\"ms\": $1}" > /dev/null; }
is() { if [ "$1" != "$2" ]; then echo "line ${BASH_LINENO[0]}: got $1, not $2" >&2; exit 1; fi; }

AGENT=$(api POST /api/v1/agents '{"agentName": "Ada", "model": "parley-demo", "voiceId": "01990000-0000-7000-8000-000000000101"}' | jq -r .data.id)
FIRST=$(api POST /api/v1/phone-numbers/import '{"phone": "+4930901820", "termination_uri": "sip.example.com"}' | jq -r .data.id)
SECOND=$(api POST /api/v1/phone-numbers/import '{"phone": "+4989901820", "termination_uri": "sip.example.com"}' | jq -r .data.id)
api PATCH /api/v1/organization '{"contact_limits": {"max_per_day": 1, "max_per_week": 3},
  "guard_hours": {"start": "08:00", "end": "20:00", "days": [1, 2, 3, 4, 5]}}' > /dev/null
CAMPAIGN=$(api POST /api/v1/campaigns '{"name": "Spring", "agentId": "'$AGENT'", "phoneNumberIds": ["'$FIRST'", "'$SECOND'"],
  "schedule": {"timezone": "Europe/Berlin", "windowStart": "09:00", "windowEnd": "17:00", "windowDays": [1, 2, 3, 4, 5],
    "retryAttempts": 2, "retryGapMin": 60}}' | jq -r .data.id)

# Semicolons, windows-1252, numbers as people write them, one person twice, and rows that cannot be called.
printf '%s\r\n' \
  'Vorname;Nachname;Telefon;E-Mail;Schuhgröße' \
  'Jürgen;Groß;030 / 9018-00;juergen@example.com;44' \
  'Kim;Lee;0049 30 901802;kim@example;38' \
  'Lou;Diaz;+49 (0)30 901807;;' \
  'J.;Groß;+493090180 0;;45' \
  'Alex;Roe;4.93091E+11;alex@example.com;40' \
  'Sam;;;;' \
  'Max;Stumm;030 901804;;41' | iconv -f UTF-8 -t WINDOWS-1252 > leads.csv
printf 'phone\n030 901804\n' > stop.csv
curl -sS --fail-with-body -X POST "$URL/api/v1/do-not-call/import?default_country=DE" -H "X-Api-Key: $KEY" \
  -H 'Content-Type: text/csv' --data-binary @stop.csv > stopped.json

import() { curl -sS --fail-with-body -X POST "$URL/api/v1/campaigns/$CAMPAIGN/contacts/import?default_country=DE$1" -H "X-Api-Key: $KEY" -F file=@leads.csv; }
import '&dry_run=true' > dry.json
is "$(jq -c '[.data.total, .data.added, .data.rejected_count]' dry.json)" '[7,3,2]'
is "$(jq -r '.data.columns | map("\(.name)=\(.to)") | join(" ")' dry.json)" \
  'Vorname=first_name Nachname=last_name Telefon=phone E-Mail=email Schuhgröße=metadata.Schuhgröße'
import '' > imported.json
is "$(jq -c '[.data.added, .data.rejected_count, (.data.skipped | length), .data.warning_count]' imported.json)" '[3,2,2,1]'
curl -sS --fail-with-body -H "X-Api-Key: $KEY" "$URL/api/v1/contacts/imports/$(jq -r .data.import_id imported.json)/rejected" > rejected.csv
is "$(grep -c . rejected.csv)" 3

is "$(api GET "/api/v1/campaigns/$CAMPAIGN/plan" | jq -c '[.data.eligible, .data.ready.ok]')" '[3,true]'
api PATCH "/api/v1/campaigns/$CAMPAIGN" '{"status": "active"}' > /dev/null
advance 3600000

# One call a day: whoever was not reached waits for tomorrow, and `why` says so.
is "$(api GET "/api/v1/calls?campaign_id=$CAMPAIGN" | jq '.data | length')" 3
is "$(api GET "/api/v1/calls?campaign_id=$CAMPAIGN" | jq '.data | map(.caller_number) | unique | length')" 2
WAITS=$(api GET "/api/v1/campaigns/$CAMPAIGN/contacts?status=pending&limit=1" | jq -r '.data[0].id')
api GET "/api/v1/campaigns/$CAMPAIGN/contacts/$WAITS/why" > why.json
is "$(jq -c '[.data.reason_codes, .data.until]' why.json)" '[["capped_day"],"2026-03-02T23:00:00.000Z"]'
api GET "/api/v1/campaigns/$CAMPAIGN/plan" > plan.json
is "$(jq '.data.skipped | map(select(.code == "capped_day").count) | add' plan.json)" 2
STATUS=$(curl -s -o refused.json -w '%{http_code}' -X POST "$URL/api/v1/calls" -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' \
  -d '{"agent_id": "'$AGENT'", "phone_number_id": "'$FIRST'", "to": "+4930901802"}')
is "$STATUS" 409

advance $((7 * 86400000))
is "$(api GET "/api/v1/campaigns/$CAMPAIGN" | jq -r .data.status)" completed
curl -sS --fail-with-body -H "X-Api-Key: $KEY" "$URL/api/v1/campaigns/$CAMPAIGN/results?dialect=excel" -o results.csv
curl -sS --fail-with-body -H "X-Api-Key: $KEY" "$URL/api/v1/campaigns/$CAMPAIGN/results?format=xlsx" -o results.xlsx
is "$(grep -c . results.csv)" 4
is "$(head -c 3 results.csv | od -An -tx1 | tr -d ' \n')" efbbbf
grep -q '+4930901800;J.;Groß;juergen@example.com' results.csv
unzip -p results.xlsx xl/worksheets/sheet1.xml | grep '+4930901802' > /dev/null

# Kim was busy each time. Another round, for those who were not reached.
AGAIN=$(api POST "/api/v1/campaigns/$CAMPAIGN/redial" '{"statuses": ["busy", "no_answer"], "name": "Spring, second round"}')
is "$(jq -c '[.data.status, .data.added, .data.left_out[0].reason]' <<< "$AGAIN")" '["draft",1,"status:completed"]'
SECOND_ROUND=$(jq -r .data.id <<< "$AGAIN")
api PATCH "/api/v1/campaigns/$SECOND_ROUND" '{"status": "active"}' > /dev/null
advance $((7 * 86400000))
is "$(api GET "/api/v1/campaigns/$SECOND_ROUND" | jq -c '[.data.status, .data.contactStats.noAnswer]')" '["completed",1]'
is "$(api GET "/api/v1/calls?campaign_id=$SECOND_ROUND" | jq '.data | map(.started_at[0:10]) | length == (unique | length)')" true
kill %1
wait %1
echo 'two rounds are called, and the results are files'
