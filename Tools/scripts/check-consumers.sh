#!/usr/bin/env bash
# Fresh projects outside the repository depend on it by URL and version, each on one product alone, and run ten lines.
set -euo pipefail
root=$(git rev-parse --show-toplevel)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=0.0.1

# A clone with a version tag stands for the published repository.
git clone -q --no-hardlinks "$root" "$work/OpenRealm"
git -C "$work/OpenRealm" tag -f "$version" >/dev/null

# consumer PRODUCT EXPECTED: a project that takes one product; its program is read from standard input.
consumer() {
  local product=$1 expected=$2 folder=$work/uses-$1
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
  local output
  # One scratch folder for all consumers: what they share is compiled once.
  output=$(swift run --package-path "$folder" --cache-path "$work/cache" --disable-sandbox consumer 2>"$folder/log") || {
    echo "check-consumers: a project that depends on $product alone does not build or run" >&2
    tail -n 30 "$folder/log" >&2
    exit 1
  }
  if [ "$output" != "$expected" ]; then
    echo "check-consumers: $product printed '$output' instead of '$expected'" >&2
    exit 1
  fi
  echo "check-consumers: $product: $output"
}

consumer ObjectStore "Rex is 4" <<'SWIFT'
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

consumer ChangesetOT "1 of 1 survives" <<'SWIFT'
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

consumer SyncProtocol "mark 1 2" <<'SWIFT'
import SyncProtocol

let bytes = Array("mark 1 2\n".utf8)
let message = try MessageDecoder().clientMessage(bytes)
let text = String(decoding: message.encoded(), as: UTF8.self)
print(text.split(separator: "\n")[0])
SWIFT
