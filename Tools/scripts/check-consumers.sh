#!/usr/bin/env bash
# Fresh projects outside the repository depend on it by URL and version, each on one product alone, and run ten lines.
# Then the tutorials, word for word: their programs are built and must print what the texts say.
# And an app for RealmSwift 10, unchanged, which logs in over HTTP and over TLS.
#   check-consumers.sh [NAME…]    only these: ChangesetOT, SyncProtocol, ObjectStore, migrated-app, tutorial-1, tutorial-2,
#                                 tutorial-3, tutorial-5, tutorial-6
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${BIN:-$(swift build --no-color-diagnostics -c release --package-path "$root" --show-bin-path)}
work=$(mktemp -d)
finish() {
  local left
  left=$(jobs -p)
  [ -z "$left" ] || kill $left 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap finish EXIT
version=0.0.1
only=" $* "

# A clone with a version tag stands for the published repository.
git clone -q --no-hardlinks "$root" "$work/OpenRealm"
git -C "$work/OpenRealm" tag -f "$version" >/dev/null

wanted() { [ "$only" = "  " ] || [[ $only == *" $1 "* ]]; }
fail() { echo "check-consumers: $*" >&2; exit 1; }

# build PRODUCT: a project that takes one product; its program is read from standard input and becomes $work/consumer.
# The project is the same folder each time, so that what several products share is compiled once. Small ones come first:
# a program can import nothing that its product, or one before it, does not bring along.
build() {
  local product=$1 folder=$work/project
  mkdir -p "$folder/Sources/consumer"
  cat >"$folder/Package.swift" <<SWIFT
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "consumer",
  dependencies: [.package(url: "file://$work/OpenRealm", exact: "$version")],
  targets: [.executableTarget(name: "consumer", dependencies: [.product(name: "$product", package: "OpenRealm")])]
)
SWIFT
  cat >"$folder/Sources/consumer/main.swift"
  swift build --package-path "$folder" --cache-path "$work/cache" --disable-sandbox >"$work/log" 2>&1 || {
    tail -n 30 "$work/log" >&2
    fail "a project that depends on $product alone does not build"
  }
  cp "$folder/.build/debug/consumer" "$work/consumer"
}

# consumer PRODUCT EXPECTED: a program, from standard input, that must print that.
consumer() {
  local product=$1 expected=$2 output
  build "$product"
  output=$("$work/consumer" 2>"$work/log") || {
    tail -n 30 "$work/log" >&2
    fail "the program that uses $product ends with $?"
  }
  [ "$output" = "$expected" ] || fail "$product printed '$output' instead of '$expected'"
  echo "check-consumers: $product: $output"
}

wanted ChangesetOT && consumer ChangesetOT "1 of 1 survives" <<'SWIFT'
import ChangesetOT

func origin(_ time: UInt64, _ file: UInt64) -> ChangesetOrigin {
  ChangesetOrigin(timestamp: OriginTimestamp(time), file: FileIdent(file))
}
let bytes: [UInt8] = [0x3F, 0, 1, 0x41, 0x02, 0, 1, 1]
var local = [try Changeset(decoding: bytes, origin: origin(1, 2))]
var incoming = [try Changeset(decoding: bytes, origin: origin(2, 3))]
try Transformer().transform(local: &local, incoming: &incoming)
print("\(incoming[0].instructions.count) of 1 survives")
SWIFT

wanted SyncProtocol && consumer SyncProtocol "mark 1 2" <<'SWIFT'
import SyncProtocol

let bytes = Array("mark 1 2\n".utf8)
let message = try MessageDecoder().clientMessage(bytes)
let text = String(decoding: message.encoded(), as: UTF8.self)
print(text.split(separator: "\n")[0])
SWIFT

wanted ObjectStore && consumer ObjectStore "Rex is 4" <<'SWIFT'
import ObjectStore

final class Dog: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age: Int
}

let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "consumer"))
try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
let rex = realm.objects(Dog.self).filter("age > %@", 2).first
try realm.write { rex?.age += 1 }
print(rex.map { "\($0.name) is \($0.age)" } ?? "no dog")
SWIFT

# block LANGUAGE FILE: what stands between the fences of that language.
block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$2" | grep -v '^```'; }

# dialogue FILE: every line after "$ " of the console blocks is done in this shell, and must say what stands below it.
# Ids are what they are.
dialogue() {
  local text=$1 line command="" expected="" said=0
  set -m
  : >"$work/said"
  while IFS= read -r line || [ -n "$line" ]; do
    if [[ $line == '$ '* ]]; then
      answered
      command=${line#'$ '} expected=""
      eval "$command" >>"$work/said" 2>&1 </dev/null || fail "'$command' ends with $?: $(cat "$work/said")"
    else
      expected+=$line$'\n'
    fi
  done < <(block console "$text")
  answered
}

answered() {
  local answer
  [ -n "$command" ] || return 0
  answer=$(tail -c "+$((said + 1))" "$work/said" | same_ids && echo .)
  said=$(stat -c %s "$work/said")
  expected=$(printf %s "$expected" | same_ids && echo .)
  [ "$answer" = "$expected" ] || fail "'$command' said '${answer%.}' instead of '${expected%.}'"
}

same_ids() { sed -E 's/[0-9a-f]{24}/ID/g'; }

tutorials=$root/Docs/Tutorials

if wanted tutorial-1; then
  text=$tutorials/01-local-database.md
  consumer RealmSwift "$(block console "$text")" < <(block swift "$text")
fi

# on_terminals NAME TEXT: builds the program of a tutorial, and does its lines with it as the command NAME.
# Another port than the text's, because a server of the reader may have that one; below those that are given out.
on_terminals() {
  local name=$1 text=$2
  port=$((20000 + RANDOM % 12000))
  build RealmSwift < <(block swift "$text" | sed "s/9080/$port/g")
  mkdir "$work/$name"
  cp "$work/consumer" "$work/$name/program"
  cd "$work/$name"
  export REALM_OBJECT_SERVER_PORT=$port
  eval "$name() { timeout 120 '$work/$name/program' \"\$@\"; }"
  dialogue "$text"
  echo "check-consumers: $(basename "$text" .md): all $(block console "$text" | grep -c '^\$ ') lines do what the text says"
}

PATH=$bin:$PATH
# migrated_app SCHEME OPTION…: a server with these options, and the app for RealmSwift 10 against it.
migrated_app() {
  local scheme=$1 data=$work/migrated-$1 server output expected
  shift
  mkdir -p "$data"
  expected='wrong password
logged in as ann@example.org
true 1 ["local-userpass"]
1 ["move to Linux"]
true 2
backup true false
no functions here
true
true true
true true
false true
bye'
  REALM_OBJECT_SERVER_PORT=$port realm-object-server --data "$data/server" "$@" >"$data/log" 2>&1 &
  server=$!
  for _ in $(seq 300); do grep -q listening "$data/log" && break; sleep 0.1; done
  output=$(REALM_HOME=$data/device timeout 120 "$work/migrated" "$scheme://localhost:$port" 2>&1) || {
    tail -n 5 "$data/log" >&2
    fail "the migrated app ends with $? over $scheme: $output"
  }
  kill "$server" && wait "$server" || true
  [ "$output" = "$expected" ] || fail "the migrated app said '$output' over $scheme instead of '$expected'"
  echo "check-consumers: migrated-app: $(wc -l <<<"$output") lines over $scheme"
}

if wanted migrated-app; then
  port=$((20000 + RANDOM % 12000))
  build RealmSwift <"$root/Tools/scripts/consumers/MigratedApp.swift"
  cp "$work/consumer" "$work/migrated"
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
    -keyout "$work/key.pem" -out "$work/certificate.pem" 2>/dev/null
  migrated_app http --partition-access write
  SSL_CERT_FILE=$work/certificate.pem migrated_app https --partition-access write \
    --tls-certificate "$work/certificate.pem" --tls-key "$work/key.pem"
fi

if wanted tutorial-2; then on_terminals shopping "$tutorials/02-two-terminals-in-sync.md"; fi
if wanted tutorial-3; then on_terminals notes "$tutorials/03-users-and-sharing.md"; fi
if wanted tutorial-5; then on_terminals rooms "$tutorials/05-chat-rooms.md"; fi
if wanted tutorial-6; then on_terminals projects "$tutorials/06-query-based-todo.md"; fi
