#!/usr/bin/env bash
# Starts the server if none runs, makes the user on first start, and opens the todo app, or with APP=chat the chat.
#
#   make run            as yourself
#   make run WHO=bob    as a second user, who sees the lists of the first
#   make chat WHO=bob   the chat, as bob
#   make studio         Studio in the browser, as the administrator that is made on first start
#
# Data: $XDG_STATE_HOME/openrealm or ~/.local/state/openrealm. PORT chooses the server's port (default 9080).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$(swift build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)}
state=${XDG_STATE_HOME:-$HOME/.local/state}/openrealm
port=${PORT:-9080}
url=http://127.0.0.1:$port
app=${APP:-todo}
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
  setsid nohup "$bin/realm-object-server" --port "$port" --data "$state/server" --no-first-administrator >>"$state/server.log" 2>&1 </dev/null &
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

# The folder of a user for the app.
data() { case $app in todo) echo "$state/$1" ;; *) echo "$state/$app-$1" ;; esac; }

app() { local who=$1; shift; "$bin/$app" --data "$(data "$who")" "$@"; }

# Logs USER in unless that has happened; makes the user on first start.
log_in() {
  local user=$1 mark
  mark=$(data "logged-in-$user")
  [ -e "$mark" ] && return
  REALM_PASSWORD=$(password "$user") app "$user" --server "$url" --user "$user" login --register 2>/dev/null ||
    REALM_PASSWORD=$(password "$user") app "$user" --server "$url" --user "$user" login
  touch "$mark"
}

# The chat is for everyone once an administrator has locked it down.
lock_down() {
  [ -e "$state/chat-locked-down" ] && return
  password chat-admin | "$bin/realm-object-server" users create chat-admin --admin --data "$state/server"
  log_in chat-admin
  app chat-admin --wait 30 lockdown
  touch "$state/chat-locked-down"
}

if [ "$app" = studio ]; then
  if [ ! -e "$state/studio-admin" ]; then
    password studio | "$bin/realm-object-server" users create studio --admin --data "$state/server" >/dev/null
    touch "$state/studio-admin"
  fi
  echo "Studio is at $url/studio/   name: studio   password: $(password studio)"
  for opener in xdg-open open; do
    command -v "$opener" >/dev/null && { "$opener" "$url/studio/" >/dev/null 2>&1 || true; break; }
  done
  exit 0
fi

arguments=()
if [ "$app" = chat ]; then
  lock_down
  log_in "$who"
else
  log_in "$owner"
  if [ "$who" != "$owner" ]; then
    log_in "$who"
    app "$owner" share "$who" --write
    arguments=(--of "$owner")
  fi
fi

if [ -t 0 ] && [ -t 1 ]; then
  exec "$bin/$app" --data "$(data "$who")" "${arguments[@]}"
fi
go_on="$bin/$app --data $(data "$who")${arguments[*]:+ ${arguments[*]}}"
case $app in
  todo) lines="  $go_on list
  $go_on add \"Buy oat milk\"" ;;
  *) lines="  $go_on rooms
  $go_on create-room hall
  $go_on send hall hello" ;;
esac
cat <<TEXT
No terminal here, so the app is not opened. The server runs at $url. Go on with:
$lines
Open a terminal and type 'make run' (or 'make chat') for the screen, with WHO=bob for a second user.
TEXT
