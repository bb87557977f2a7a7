#!/usr/bin/env bash
# Starts the server if none runs, makes the user on first start, and opens the todo app.
#
#   make run            as yourself
#   make run WHO=bob    as a second user, who sees the lists of the first
#
# Data: $XDG_STATE_HOME/openrealm or ~/.local/state/openrealm. PORT chooses the server's port (default 9080).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$(swift build -c release --package-path "$root" --show-bin-path)}
state=${XDG_STATE_HOME:-$HOME/.local/state}/openrealm
port=${PORT:-9080}
url=http://127.0.0.1:$port
owner=$(id -un)
who=${WHO:-$owner}
mkdir -p "$state"
chmod 700 "$state"

healthy() {
  exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
  printf 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
  local line=""
  read -r -t 5 line <&3 || true
  exec 3>&-
  [[ $line == *" 200 "* ]]
} 2>/dev/null

if ! healthy; then
  setsid nohup "$bin/realm-object-server" --port "$port" --data "$state/server" >>"$state/server.log" 2>&1 </dev/null &
  for _ in $(seq 100); do
    healthy && break
    sleep 0.1
  done
  healthy || { echo "run: the server did not start; the end of $state/server.log:" >&2; tail -n 5 "$state/server.log" >&2; exit 1; }
  echo "server started at $url, data in $state/server, log in $state/server.log"
fi

# The password of a user that this script made: nobody needs to type it.
password() {
  local file=$state/password-$1
  if [ ! -s "$file" ]; then
    (umask 077; head -c 18 /dev/urandom | base64 >"$file")
  fi
  cat "$file"
}

todo() { local data=$1; shift; "$bin/todo" --data "$state/$data" "$@"; }

# Logs USER in unless that has happened; makes the user on first start.
log_in() {
  local user=$1
  [ -e "$state/logged-in-$user" ] && return
  REALM_PASSWORD=$(password "$user") todo "$user" --server "$url" --user "$user" login --register 2>/dev/null ||
    REALM_PASSWORD=$(password "$user") todo "$user" --server "$url" --user "$user" login
  touch "$state/logged-in-$user"
}

log_in "$owner"
arguments=()
if [ "$who" != "$owner" ]; then
  log_in "$who"
  todo "$owner" share "$who" --write
  arguments=(--of "$owner")
fi

if [ -t 0 ] && [ -t 1 ]; then
  exec "$bin/todo" --data "$state/$who" "${arguments[@]}"
fi
cat <<TEXT
No terminal here, so the app is not opened. The server runs at $url. Go on with:
  $bin/todo --data $state/$who${arguments[*]:+ ${arguments[*]}} list
  $bin/todo --data $state/$who${arguments[*]:+ ${arguments[*]}} add "Buy oat milk"
Open a terminal and type 'make run' for the screen, 'make run WHO=bob' for a second user.
TEXT
