#!/usr/bin/env bash
# Breaks one rule of the permissions at a time, and expects the random worlds of roles to see it.
#   role-canaries.sh [NAME…]    without names: all of them
#   role-canaries.sh --check    only whether each rule is where it is to be broken
#   RUNS=400                    worlds for each
#   SCRATCH=…                   a folder of its own for the build
# All of them are planted in the sources and built once, in release; the environment says which one sings. Changes files of the
# working tree while it builds, and sets them back: they must be as committed.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
swift=${SWIFT:-swift}
export RUNS=${RUNS:-400}
unset SEED
cd "$root" || exit 1
rules=Packages/Permissions/Sources
store=Packages/ObjectStore/Sources/RecordStore
cage=$rules/Permissions/Canary.swift
isCheck=
planted=()
if [ "${1:-}" = --check ]; then
  isCheck=1
  shift
else
  git diff --quiet HEAD -- "$rules" "$store" || { echo "canaries: $rules or $store has changes" >&2; exit 1; }
  log=$(mktemp)
  cleanUp() { git checkout -q -- "$rules" "$store"; rm -f "$cage"; }
  trap 'cleanUp; rm -f "$log"' EXIT
  trap 'exit 1' INT TERM
  cat >"$cage" <<'EOC'
import Glibc

private let singing = getenv("CANARY").map { String(cString: $0) } ?? ""

/// Whether a rule is to be broken.
public func sings(_ canary: String) -> Bool { canary == singing }
EOC
fi
wanted=("$@")

# canary NAME FOLDER OLD NEW: puts a text in the place of one that is in one place of the folder.
canary() {
  [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]] || return 0
  local files
  mapfile -t files < <(OLD=$3 find "$2" -name '*.swift' -exec perl -0ne \
    'print "$ARGV\n" for m/\Q$ENV{OLD}\E/g' {} +)
  if [ ${#files[@]} -ne 1 ]; then
    echo "canary $1: its text is in ${#files[@]} places" >&2
    exit 1
  fi
  planted+=("$1")
  [ -z "$isCheck" ] || return 0
  OLD=$3 NEW=$4 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "${files[0]}"
  grep -q 'import Permissions' "${files[0]}" || [ "$2" = "$rules" ] || sed -i '1i import Permissions' "${files[0]}"
}

canary membership-kept "$rules" \
  'memberships[user]?.remove(number)' \
  'if !sings("membership-kept") { memberships[user]?.remove(number) }'
canary private-role-skipped "$rules" \
  'roles[role]?.members?.insert(user)' \
  'roles[role]?.members?.insert(user)
    if sings("private-role-skipped"), role.rawValue.hasPrefix("__User:") { return }'
canary create-free "$rules" \
  'ActionNeeds(realm: [.read, .update, .create], classes: [(name, .create)])' \
  'sings("create-free")
      ? ActionNeeds(realm: [.read, .update])
      : ActionNeeds(realm: [.read, .update, .create], classes: [(name, .create)])'
canary schema-free "$rules" \
  'classes: [(name, .modifySchema)])' \
  'classes: [(name, sings("schema-free") ? .read : .modifySchema)])'
canary update-in-read-only-realm "$rules" \
  '.writing(object, .update, realm: [.read, .update])' \
  '.writing(object, .update, realm: sings("update-in-read-only-realm") ? .read : [.read, .update])'
canary delete-as-update "$rules" \
  '.writing(object, .delete, realm: [.read, .update, .delete])' \
  'sings("delete-as-update")
        ? .writing(object, .update, realm: [.read, .update])
        : .writing(object, .delete, realm: [.read, .update, .delete])'
canary grant-beyond-own "$rules" \
  'grants: [(.object(object), gain.intersection(.objectPrivileges))])' \
  'grants: sings("grant-beyond-own") ? [] : [(.object(object), gain.intersection(.objectPrivileges))])'
canary members-free "$rules" \
  '.writing(ObjectFacts(PermissionClass.role.rawValue, isNew: isNew), .update, realm: [.read, .update])' \
  'sings("members-free")
        ? ActionNeeds(realm: [.read, .update])
        : .writing(ObjectFacts(PermissionClass.role.rawValue, isNew: isNew), .update, realm: [.read, .update])'
canary first-list-only "$rules" \
  'for use in uses {' \
  'for use in sings("first-list-only") ? Array(uses.prefix(1)) : uses {'
canary token-unbounded "$rules" \
  'needs.realm.union(needs.token).subtracting(tokenBound)' \
  'needs.realm.union(needs.token).subtracting(sings("token-unbounded") ? .all : tokenBound)'
canary empty-list-as-missing "$rules" \
  'isMissing = false
    words = entries.map' \
  'isMissing = sings("empty-list-as-missing") && entries.isEmpty
    words = entries.map'
canary class-read-ignored "$store" \
  'func mayRead(_ className: String) -> Bool { user.privileges(onClass: className).contains(.read) }' \
  'func mayRead(_ className: String) -> Bool {
    sings("class-read-ignored") || user.privileges(onClass: className).contains(.read)
  }'
canary query-ignored "$store" \
  'isSuperset(of: [.read, .query])' \
  'isSuperset(of: sings("query-ignored") ? .read : [.read, .query])'
canary object-list-ignored "$store" \
  'user.privileges(onObjectWith: list, inClass: className, of: table).contains(.read)' \
  'sings("object-list-ignored")
      ? list != .missing || user.isExempt
      : user.privileges(onObjectWith: list, inClass: className, of: table).contains(.read)'
canary role-change-unnoticed "$store" \
  'roles: table.roleNames(of: user.user)' \
  'roles: sings("role-change-unnoticed") ? [] : table.roleNames(of: user.user)'
canary class-list-change-unnoticed "$store" \
  '($0, table.list(ofClass: $0))' \
  '($0, sings("class-list-change-unnoticed") ? .empty : table.list(ofClass: $0))'
canary oracle-served "$store" \
  'if let reason = refusals.last {' \
  'if let reason = refusals.last, !sings("oracle-served") {'
canary hidden-change-sent "$store" \
  'guard let move, depends(object.className) else { return false }
    return !move.after.contains(object)
  }

  /// Whether the user may have been without read on an object that is held at both ends: also when it was held through others alone, that
  /// may have let go of it and taken it up again.
  private mutating func mayHaveBeenHidden(_ object: ObjectReference, _ readView: ReadView) throws -> Bool {
    guard depends(object.className), start < end.before else { return false }' \
  'guard let move, depends(object.className), !sings("hidden-change-sent") else { return false }
    return !move.after.contains(object)
  }

  private mutating func mayHaveBeenHidden(_ object: ObjectReference, _ readView: ReadView) throws -> Bool {
    guard depends(object.className), start < end.before, !sings("hidden-change-sent") else { return false }'
canary tombstone-sent "$store" \
  'var leaves: Bool { wasIn && !isIn && exists }' \
  'var leaves: Bool { (wasIn || sings("tombstone-sent")) && !isIn && exists }'
canary kept-after-leaving "$store" \
  'for object in leaving {' \
  'for object in leaving.dropFirst(sings("kept-after-leaving") ? 1 : 0) {'
canary refused-erasure-applied "$store" \
  'case .eraseObject(let it): try judgeErasure(of: it.object)' \
  'case .eraseObject(let it): if !sings("refused-erasure-applied") { try judgeErasure(of: it.object) }'
canary refused-write-stays "$store" \
  'filter { isRefused($0, at: offset, catalog) }
    try touched.add(restored)' \
  'filter { isRefused($0, at: offset, catalog) }
    if !sings("refused-write-stays") { try touched.add(restored) }'
canary outside-of-view-taken "$store" \
  'if place == .outside, places[object] != .inside, !isFree {' \
  'if place == .outside, places[object] != .inside, !isFree,
          places[object] == .outside || !sings("outside-of-view-taken")
        {'
canary outcome-unjudged "$store" \
  'let found = try judge?.judgeOutcome(in: present.readView) ?? [:]' \
  'let found = try sings("outcome-unjudged") ? [:] : judge?.judgeOutcome(in: present.readView) ?? [:]'

if [ -n "$isCheck" ]; then
  echo "canaries: ${#planted[@]} rules are where they are to be broken"
  exit 0
fi
scratch=${SCRATCH:-$root/.build/canaries}
package=(--package-path Packages/ObjectStore --scratch-path "$scratch" -c release -Xswiftc -enable-testing)
if ! "$swift" build "${package[@]}" --build-tests >"$log" 2>&1; then
  echo "canaries: they do not build"
  grep -a 'error:' "$log" | head -3
  exit 1
fi
cleanUp

# Without 'swift test' between, which can lose lines of a test that fails.
tests=$("$swift" build "${package[@]}" --show-bin-path)/ObjectStorePackageTests.xctest
worlds() { CANARY=$1 "$tests" --testing-library swift-testing --filter '^ObjectStoreTests\.RoleWorldTests' >"$log" 2>&1; }

# Without a canary the worlds are silent.
if ! worlds ''; then
  echo "canaries: the worlds fail with every rule in force"
  grep -aE 'SEED=|error:|Fatal|✘' "$log" | head -3
  exit 1
fi
caught=0
for name in "${planted[@]}"; do
  if worlds "$name"; then
    echo "canary $name: NOT CAUGHT by $RUNS worlds"
  elif grep -aqE 'SEED=[0-9]+: ' "$log"; then
    caught=$((caught + 1))
    echo "canary $name: caught by $(grep -aoE 'SEED=[0-9]+: .{0,100}' "$log" | head -1)"
  else
    echo "canary $name: the run ended without a finding"
    grep -aE 'error:|Fatal|✘' "$log" | head -3
  fi
done

echo "canaries: $caught of ${#planted[@]} caught"
[ "$caught" -eq ${#planted[@]} ]
