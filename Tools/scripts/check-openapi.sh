#!/usr/bin/env bash
# Sends what schemathesis from PyPI makes of the server's own OpenAPI description to a server of its own: no answer may be 5xx,
# and none may differ from what the description says. Skipped with a line when schemathesis cannot be had.
#   check-openapi.sh PATH-OF-realm-object-server [EXAMPLES-PER-OPERATION]
set -euo pipefail
server=$(realpath "$1")
examples=${2:-50}
command -v python3 >/dev/null || { echo "openapi: skipped, there is no python3"; exit 0; }
scratch=$(mktemp -d)
trap '[ -z "${process:-}" ] || kill "$process" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$scratch"' EXIT
schemathesis=${SCHEMATHESIS:-schemathesis}
if ! command -v "$schemathesis" >/dev/null; then
  if python3 -m venv "$scratch/venv" 2>/dev/null && "$scratch/venv/bin/pip" install -q schemathesis 2>/dev/null; then
    schemathesis=$scratch/venv/bin/schemathesis
  else
    echo "openapi: skipped, the Python package schemathesis is missing and cannot be installed: pip install schemathesis"
    exit 0
  fi
fi
# Without a webhook its operations would be answered with 501 alone.
mkdir -p "$scratch/keys"
(umask 077; head -c 32 /dev/urandom | base64 >"$scratch/keys/hook")
printf '[webhook.hook]\nurl = "http://127.0.0.1:9/"\npattern = "^/hooked/.*"\nsecret-file = "%s"\n' "$scratch/keys/hook" >"$scratch/conf"
"$server" --config "$scratch/conf" --port 0 --data "$scratch/data" --log-level error >"$scratch/out" 2>"$scratch/log" &
process=$!
for _ in $(seq 3000); do
  grep -q listening "$scratch/out" && break
  kill -0 "$process" 2>/dev/null || break
  sleep 0.1
done
url=$(sed -n 's/.*listening on \(http[^,]*\),.*/\1/p' "$scratch/out")
[ -n "$url" ] || { echo "openapi: the server did not start" >&2; cat "$scratch/log" >&2; exit 1; }
token=$(sed 's/.*"ADMIN_TOKEN": *"\([^"]*\)".*/\1/' "$scratch/data/keys/admin.json")
status=0
# It leaves a folder where it runs.
cd "$scratch"
# Streams have no end of their own, and stopping is no answer.
"$schemathesis" run "$url/api/openrealm/v1/admin/openapi.json" --header "Authorization: Bearer $token" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
  --exclude-operation-id live --max-examples "$examples" --request-timeout 60 --seed 1 --workers 1 --no-color \
  >"$scratch/report" 2>&1 || status=$?
[ "$status" -eq 0 ] || { cat "$scratch/report" >&2; cat "$scratch/log" >&2; exit 1; }
kill -0 "$process" 2>/dev/null || { echo "openapi: the server died" >&2; cat "$scratch/log" >&2; exit 1; }
"$server" audit verify --data "$scratch/data" >"$scratch/audit" || { cat "$scratch/audit" >&2; exit 1; }
echo "openapi:$(grep -E 'generated' "$scratch/report" | tail -n 1); every answer is as described; audit log: $(tail -n 1 "$scratch/audit")"
