# A day of an administrator on premises: the Debian package $DEB on a machine without systemd, its unit, TLS, backups by schedule, an
# upgrade, and a restore on another machine.
set -euo pipefail
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
is() { if [ "$1" != "$2" ]; then echo "line ${BASH_LINENO[0]}: got $1, not $2" >&2; exit 1; fi; }
has() { if ! grep -qE "$1" "$2"; then echo "line ${BASH_LINENO[0]}: $2 has no $1:" >&2; cat "$2" >&2; exit 1; fi; }

# The package, unpacked as dpkg does it. Its service may be checked before it runs.
dpkg-deb --extract "$DEB" machine
dpkg-deb --info "$DEB" > info.txt
has '^ Package: parley$' info.txt
export PATH="$PWD/machine/usr/bin:$PATH"
hash -r
parley version
if command -v systemd-analyze > /dev/null; then
  sed "s#/usr/bin/parley#$PWD/machine/usr/bin/parley#; s/^\(User\|Group\)=.*/\1=root/" machine/usr/lib/systemd/system/parley.service > parley.service
  systemd-analyze verify --man=no ./parley.service
fi

# A certificate that is not there yet: the setting and the file are named.
CERTIFICATE=(--set "tls.cert_file=$PWD/tls.crt" --set "tls.key_file=$PWD/tls.key")
if parley serve --data data --port 0 "${CERTIFICATE[@]}" > /dev/null 2> refused.txt; then exit 1; else is $? 78; fi
has "tls.cert_file names $PWD/tls.crt, which cannot be read: it does not exist" refused.txt
certificate() { openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days "$1" -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout new.key -out new.crt 2> /dev/null; mv new.key tls.key; mv new.crt tls.crt; }
certificate 90

cat > parley.yaml <<YAML
log: { level: info, format: json }
limits: { organization: { max_concurrent: 5 } }
backup: { schedule: "* * * * *", dir: $PWD/backups, keep: 2 }
YAML
start() {
  rm -f ready.json
  parley serve --data data --port 0 --ready-file ready.json --config parley.yaml "${CERTIFICATE[@]}" > first.txt 2>> parley.log &
  until [ -s ready.json ]; do kill -0 $!; sleep 0.1; done
  URL=$(jq -r .url ready.json)
}
shows() { until grep -qF "$1" parley.log; do kill -0 %%; sleep 0.1; done; }
start
KEY=$(jq -r .api_key ready.json)
api() { curl -sS --fail-with-body --cacert tls.crt -X "$1" -H "X-Api-Key: $KEY" -H 'Content-Type: application/json' "$URL$2" ${3:+-d "$3"}; }
case $URL in https://*) ;; *) exit 1 ;; esac
parley users create ada@example.com --role admin --password-stdin --data data <<< 'correct horse battery staple' > user.txt
CONTACT=$(api POST /api/v1/contacts '{"first_name": "Jo", "phone": "+4930901800"}' | jq -r .data.id)

# A renewed certificate is taken over within a second; a broken one leaves it, and the check says so.
certificate 91
shows 'the certificate was read again'
api GET /api/v1/system | jq -e '.data.checks[] | select(.id == "tls" and .status == "ok")' > /dev/null
cp tls.crt renewed.crt
echo broken > tls.crt
shows 'the changed certificate cannot be used'
until curl -sS --cacert renewed.crt -H "X-Api-Key: $KEY" "$URL/api/v1/system" | jq -e '.data.checks[] | select(.id == "tls" and .status == "fail")' > /dev/null
do kill -0 %%; sleep 0.5; done # findings are kept for some seconds
cp renewed.crt tls.crt

# A reload takes over limits, and names what needs a restart.
sed -i 's/max_concurrent: 5/max_concurrent: 6/; s/keep: 2/keep: 3/' parley.yaml
kill -HUP $!
shows '"taken":["limits.organization.max_concurrent"],"needRestart":["backup.keep"]'

# Backups by schedule, each with its secrets.
until [ "$(ls backups/*.db 2> /dev/null | wc -l)" -ge 1 ]; do kill -0 %%; sleep 0.2; done
if ls backups | grep -v '^parley-'; then exit 1; fi # nothing but backups
parley doctor --data data --config parley.yaml "${CERTIFICATE[@]}" > doctor.txt
api GET /metrics > metrics.txt
has '^parley_backup_last_success_timestamp_seconds [1-9]' metrics.txt

# An upgrade: what the new program says of a backup, then the change of programs.
parley backup before-upgrade.db --data data
parley restore --check before-upgrade.db --data data > check.txt
has 'can be restored' check.txt
kill $!
wait $!
cp machine/usr/bin/parley upgraded && mv upgraded machine/usr/bin/parley
start
is "$(api GET "/api/v1/contacts/$CONTACT" | jq -r .data.first_name)" Jo
is "$(jq -r .api_key ready.json)" null
kill $!
wait $!

# The machine is lost; another one has a copy of the backups.
mkdir other
cp backups/*.db backups/*.db.secrets.json other/
mv data lost
NEWEST=$(ls other/*.db | tail -1)
head -c 100000 "$NEWEST" > other/short.db
cp "$NEWEST.secrets.json" other/short.db.secrets.json
if parley restore --check other/short.db --data data > short.txt 2>&1; then exit 1; else is $? 1; fi
parley restore --check "$NEWEST" --data data > check.txt
parley restore "$NEWEST" --data data > restored.txt 2>&1
start
is "$(api GET "/api/v1/contacts/$CONTACT" | jq -r .data.first_name)" Jo
curl -sS --fail-with-body --cacert tls.crt -H 'Content-Type: application/json' "$URL/api/v1/auth/login" \
  -d '{"email": "ada@example.com", "password": "correct horse battery staple"}' > login.json
kill $!
wait $!

# Removed: the package owns no data.
dpkg-deb --contents "$DEB" > contents.txt
if grep -q var/lib contents.txt; then exit 1; fi
rm -r machine
test -s data/parley.db
echo 'backed up, upgraded, restored elsewhere and removed'
