#!/usr/bin/env bash
# Three users of the chat: what ann and bob say in a private room reaches carol by no way, and what bob says without the
# right to is undone and given back. Nothing is believed: files and wire are searched, and the search is tried on bob first.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$(swift build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)}
work=$(mktemp -d)
secret="the-key-is-under-the-4711-mat"
begun=()
server=

finish() {
  for process in "${begun[@]}"; do kill "$process" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

say() { printf '\n== %s\n' "$*"; }
fail() { echo "demo-chat: $*" >&2; exit 1; }
command -v python3 >/dev/null || fail "python3 is needed to look at the wire"

# first_number FILE: the first number of a file, when it is there.
first_number() {
  local number=
  for _ in $(seq 300); do
    number=$(sed -n 's/^\(.*:\)\{0,1\}\([0-9][0-9]*\).*/\2/p' "$1" | head -n 1)
    [ -n "$number" ] && break
    sleep 0.1
  done
  [ -n "$number" ] || fail "nothing listens: $(cat "$work"/*.log)"
  echo "$number"
}

# chat USER WORDS…: the app on the device of a user.
chat() { local who=$1; shift; "$bin/chat" --data "$work/$who" --wait 30 "$@"; }

# in_files USER TEXT, on_wire USER TEXT: whether a text is in what the device keeps, in what the server sent it.
in_files() { grep -raqF -- "$2" "$work/$1"; }
on_wire() { python3 "$root/Tools/scripts/capture-proxy.py" --find "$2" "$work/wire-$1".*; }

say "a server, an administrator, three users, each behind a proxy that keeps what the server sends"
echo boss-secret | "$bin/realm-object-server" users create boss --admin --data "$work/server"
"$bin/realm-object-server" --port 0 --data "$work/server" --log-level warn >"$work/server.out" 2>"$work/server.log" &
begun+=($!)
port=$(first_number "$work/server.out")
REALM_PASSWORD=boss-secret chat boss --server "http://127.0.0.1:$port" --user boss login
for who in ann bob carol; do
  python3 "$root/Tools/scripts/capture-proxy.py" "$port" "$work/wire-$who" >"$work/$who.port" 2>"$work/$who.log" &
  begun+=($!)
  REALM_PASSWORD=$who-secret chat $who --server "http://127.0.0.1:$(first_number "$work/$who.port")" --user $who login --register
done

say "the administrator locks the chat down"
chat boss lockdown
for who in ann bob carol; do chat $who rooms >"$work/rooms.txt"; done

say "a public room: all three talk"
chat ann create-room hall
chat ann send hall "hello, all of you"
chat bob send hall "世界 👋"
chat carol send hall "hi" --reply last
chat ann read hall

say "a private room: ann and bob talk"
chat ann create-room plans --private
chat ann send plans "$secret"
chat ann invite plans bob --write
chat bob read plans
chat bob send plans "found it"
chat bob react plans last 🎉
chat ann read plans
chat ann members plans

say "carol looks for it: her rooms, a query for every page with the words, and the room by name"
chat carol rooms
# Her device keeps the query itself, so a part of the words is asked for. Bob's answer shows that the query finds them.
chat bob search 4711-mat | tee "$work/bobs.txt"
grep -qF -- "$secret" "$work/bobs.txt" || fail "bob's query does not find the message"
chat carol search 4711-mat --json >"$work/found.json" 2>"$work/found.log" || fail "carol's query was not answered"
cat "$work/found.log" "$work/found.json"
[ ! -s "$work/found.log" ] || fail "the server did not answer carol's query"
[ "$(cat "$work/found.json")" = "[]" ] || fail "carol found the message"
if chat carol read plans; then fail "carol may read the room"; fi

say "the search of files and wire sees what is there: bob has the message"
in_files bob "$secret" || fail "the search of files does not see bob's message"
on_wire bob "$secret" || fail "the search of the wire does not see bob's message"
on_wire carol "hello, all of you" || fail "the search of the wire does not see what carol got"
echo "bob's files and bob's wire have it; carol's wire has the public room"

say "carol has it neither in her files nor on her wire"
if in_files carol "$secret"; then fail "the message is in carol's files"; fi
if on_wire carol "$secret"; then fail "the server sent the message to carol"; fi
for place in in_files on_wire; do
  $place bob plans || fail "$place does not see the name of the room at bob's"
  if $place carol plans; then fail "the name of the room is at carol's: $place"; fi
done
# held USER: the messages in the realm of a device, asked for past the app.
held() { "$bin/realm" query "$(find "$work/$1" -name '*chat-rooms.realm')" Message TRUEPREDICATE --json >"$work/held-$1"; }
held bob
held carol
grep -qF -- "$secret" "$work/held-bob" || fail "the query of a file does not see bob's message"
grep -q "hello, all of you" "$work/held-carol" || fail "the query of carol's file does not see the public room"
if grep -qF -- "$secret" "$work/held-carol"; then fail "the message is in carol's realm"; fi
echo "not a byte of it, nor of the name of the room; a query of her file has the public messages only"

say "bob writes offline; meanwhile ann lets him read only; the server undoes what he wrote, and he is told"
chat bob offline
chat bob send plans "one more thing"
chat ann grant plans bob --read
if chat bob online; then fail "a post without the right was accepted"; fi
chat bob settings plans --json >"$work/settings.json"
grep -q '"draft":"one more thing"' "$work/settings.json" || fail "bob's words are not in his input line"
echo "bob's input line has: one more thing"
for who in bob ann; do
  chat $who read plans >"$work/read.txt"
  grep -qF "found it" "$work/read.txt" || fail "$who does not see what was said before"
  if grep -qF "one more thing" "$work/read.txt"; then fail "$who sees the refused message"; fi
done
echo "neither bob's device nor ann's has it among the messages"
if chat bob send plans "again"; then fail "bob may write"; fi

say "ann takes the room away from bob: it leaves his device"
chat ann revoke plans bob
chat bob rooms
if chat bob read plans; then fail "bob may still read the room"; fi
say "carol saw nothing, and bob's words were given back"
