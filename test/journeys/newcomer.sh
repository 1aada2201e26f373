# A newcomer's first day: from an empty directory to the first verified webhook, with the commands of the tutorial and the receiver of the
# guide, which is the file $RECEIVER.
set -euo pipefail
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT

parley serve --data ./parley-data --port 0 --ready-file ready.json > banner.txt 2> parley.log &
SERVER=$!
until [ -s ready.json ]; do kill -0 $SERVER; sleep 0.1; done
URL=$(grep -o '"url":"[^"]*' ready.json | cut -d'"' -f4)
KEY=$(grep -o 'pk_[[:alnum:]]*' banner.txt | head -1)
curl -sS --fail-with-body -X POST "$URL/api/v1/agents" -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' \
  -d '{"agentName": "Ada", "model": "parley-demo", "voiceId": "01990000-0000-7000-8000-000000000101"}' > agent.json

export PORT=$((20000 + $$ % 20000))
WEBHOOK_SECRET=$(parley listen --secret --data ./parley-data | grep -o 'whsec_[^ ]*')
export WEBHOOK_SECRET
python3 "$RECEIVER" > received.txt 2> receiver.log &
until curl -s -o /dev/null "http://127.0.0.1:$PORT/"; do sleep 0.1; done

parley listen --forward "http://127.0.0.1:$PORT/hooks" --data ./parley-data > listened.txt 2>&1 &
LISTENER=$!
until grep -q 'forwarding to' listened.txt; do kill -0 $LISTENER; sleep 0.1; done
parley trigger call.completed --outcome voicemail --data ./parley-data
until grep -q '^call.completed .* voicemail$' received.txt; do kill -0 $LISTENER; sleep 0.1; done
until grep -q 'call.completed  204 ' listened.txt; do kill -0 $LISTENER; sleep 0.1; done
kill -INT $LISTENER
wait $LISTENER
grep '1 event: 1 forwarded, 0 failed' listened.txt
kill $SERVER
wait $SERVER
