#!/usr/bin/env bash
# Breaks one rule of the permissions at a time in the sources, and expects the random worlds of roles to see it.
#   role-canaries.sh [NAME…]    without names: all of them
#   RUNS=400                    worlds for each
# Changes files of the working tree while it runs, and sets them back: they must be as committed.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
swift=${SWIFT:-swift}
export RUNS=${RUNS:-400}
unset SEED
cd "$root" || exit 1
rules=Packages/Permissions/Sources
store=Packages/ObjectStore/Sources/RecordStore
git diff --quiet HEAD -- "$rules" "$store" || { echo "canaries: $rules or $store has changes" >&2; exit 1; }
log=$(mktemp)
trap 'git checkout -q -- "$rules" "$store"; rm -f "$log"' EXIT
trap 'exit 1' INT TERM
total=0
caught=0

# canary NAME FOLDER OLD NEW: replaces a text that is in one place of the folder, builds, and runs worlds.
canary() {
  [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $1 "* ]] || return 0
  total=$((total + 1))
  local files
  mapfile -t files < <(OLD=$3 find "$2" -name '*.swift' -exec perl -0ne \
    'print "$ARGV\n" for m/\Q$ENV{OLD}\E/g' {} +)
  if [ ${#files[@]} -ne 1 ]; then
    echo "canary $1: its text is in ${#files[@]} places"
    return
  fi
  OLD=$3 NEW=$4 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "${files[0]}"
  if ! "$swift" build --build-tests >"$log" 2>&1; then
    echo "canary $1: does not build"
    grep -a 'error:' "$log" | head -3
  elif "$swift" test --skip-build --filter '^ObjectStoreTests\.RoleWorldTests' >"$log" 2>&1; then
    echo "canary $1: NOT CAUGHT by $RUNS worlds"
  elif grep -aqE 'SEED=[0-9]+: ' "$log"; then
    caught=$((caught + 1))
    echo "canary $1: caught by $(grep -aoE 'SEED=[0-9]+: .{0,100}' "$log" | head -1)"
  else
    echo "canary $1: the run ended without a finding"
    grep -aE 'error:|Fatal|✘' "$log" | head -3
  fi
  git checkout -q -- "${files[0]}"
}

wanted=("$@")

canary membership-kept "$rules" 'members[role]?.remove(user) != nil else { return }
    memberships[user]?.remove(number)' 'members[role]?.remove(user) != nil else { return }
    _ = number'
canary private-role-skipped "$rules" '    members[role]?.insert(user)
    let number' '    members[role]?.insert(user)
    if role.rawValue.hasPrefix("__User:") { return }
    let number'
canary create-free "$rules" 'ActionNeeds(realm: [.read, .update, .create], classes: [(name, .create)])' \
  'ActionNeeds(realm: [.read, .update])'
canary schema-free "$rules" 'ActionNeeds(realm: [.read, .update, .modifySchema], classes: [(name, .modifySchema)])' \
  'ActionNeeds(realm: [.read, .update, .modifySchema], classes: [(name, .read)])'
canary update-in-read-only-realm "$rules" '.writing(object, .update, realm: [.read, .update])' \
  '.writing(object, .update, realm: .read)'
canary delete-as-update "$rules" '.writing(object, .delete, realm: [.read, .update, .delete])' \
  '.writing(object, .update, realm: [.read, .update])'
canary grant-beyond-own "$rules" 'grants: [(.object(object), gain.intersection(.objectPrivileges))])' 'grants: [])'
canary members-free "$rules" '.writing(ObjectFacts(PermissionClass.role.rawValue, isNew: isNew), .update, realm: [.read, .update])' \
  'ActionNeeds(realm: [.read, .update])'
canary first-list-only "$rules" 'for use in uses {' 'for use in uses.prefix(1) {'
canary token-unbounded "$rules" 'needs.realm.union(needs.token).subtracting(tokenBound)' \
  'needs.realm.union(needs.token).subtracting(.all)'
canary empty-list-as-missing "$rules" 'isMissing = false
    words = entries.map' 'isMissing = entries.isEmpty
    words = entries.map'
canary class-read-ignored "$store" 'func mayRead(_ className: String) -> Bool { user.privileges(onClass: className).contains(.read) }' \
  'func mayRead(_ className: String) -> Bool { true }'
canary query-ignored "$store" 'isSuperset(of: [.read, .query])' 'isSuperset(of: .read)'
canary object-list-ignored "$store" \
  'user.privileges(onObjectWith: list, inClass: className, of: table).contains(.read)' \
  'list != .missing || user.isExempt'
canary role-change-unnoticed "$store" 'roles: table.roleNames(of: user.user)' 'roles: []'
canary class-list-change-unnoticed "$store" '($0, table.list(ofClass: $0))' '($0, .empty)'
canary oracle-served "$store" 'if let reason { forbidden[className] = reason }' '_ = reason'
canary hidden-change-sent "$store" 'guard let move, depends(object.className) else { return false }
    return !move.after.contains(object)' 'return false'
canary tombstone-sent "$store" 'var leaves: Bool { wasIn && !isIn && exists }' 'var leaves: Bool { !isIn && exists }'
canary kept-after-leaving "$store" 'for object in leaving {' 'for object in leaving.dropFirst() {'
canary refused-erasure-applied "$store" 'case .eraseObject(let it): try judgeErasure(of: it.object)' \
  'case .eraseObject: continue'
canary refused-write-stays "$store" 'try touched.add(restored)' '_ = restored'
canary outside-of-view-taken "$store" 'if place == .outside, places[object] != .inside, !isFree {' \
  'if place == .outside, places[object] == .outside, !isFree {'
canary outcome-unjudged "$store" 'if let found = try judge?.judgeOutcome(in: present.readView), !found.isEmpty {' \
  'if let found = try judge?.judgeOutcome(in: present.readView), found.isEmpty {'

echo "canaries: $caught of $total caught"
[ "$caught" -eq "$total" ]
