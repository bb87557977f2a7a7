import ChangesetOT
import DataModel
import Permissions
import TestKit

@testable import ObjectStore
@testable import RecordStore

extension RoleWorld {
  /// An administrator's script changes the permissions on the server.
  mutating func script() throws {
    let change = RoleRealm.change(&random)
    log.append("script \(change)")
    // A list names roles that are there, as apps make them.
    var roles: [PermissionTableChange] = []
    if case .setRealmList(let list) = change { roles = list.entries.map { .addRole($0.role) } }
    if case .setClassList(_, let list) = change { roles = list.entries.map { .addRole($0.role) } }
    try network.file.edit { try $0.apply(roles + [change]) }
    try noteState()
    if !selections.isEmpty, random.oneIn(3) { try rewrite() }
  }

  /// The client with everything gives many objects new texts, of which users who lost sight of them must not be told.
  private mutating func rewrite() throws {
    guard let number = selections.lastIndex(where: { $0 == nil }) else { return }
    try downloadAll(number)
    let dump = try network.dump(number)
    var instructions: [Instruction] = []
    for (name, field) in [("Room", "title"), ("Message", "text"), ("Person", "name"), ("Note", "text")] {
      for key in (dump.objects[name] ?? [:]).keys.sorted(by: { "\($0)" < "\($1)" }) where !random.oneIn(3) {
        let object = ObjectReference(className: name, key: key)
        instructions.append(RoleEdits.set(object, field, .string(ledger.secret(by: number))))
      }
    }
    log.append("rewrite")
    try write(instructions, by: number)
  }

  /// The client with everything declares a link or an access list of a class that has objects already.
  mutating func declare() throws {
    guard let number = selections.lastIndex(where: { $0 == nil }) else { return }
    try downloadAll(number)
    log.append("declare")
    try write([random.one(of: RoleRealm.laterColumns)], by: number)
  }

  /// The client with everything takes away what lets others hold an object, gives many objects new texts, and gives it back: of the texts in
  /// between those must not be told who could not read them then.
  mutating func interlude() throws {
    guard let number = selections.lastIndex(where: { $0 == nil }) else { return }
    try downloadAll(number)
    var turns: [(ObjectReference, String, off: Payload, on: Payload)] = []
    for (name, objects) in try network.dump(number).objects.sorted(by: { $0.key < $1.key }) {
      for (key, fields) in objects.sorted(by: { "\($0.key)" < "\($1.key)" }) {
        let object = ObjectReference(className: name, key: key)
        for (field, item) in fields.sorted(by: { $0.key < $1.key }) {
          switch item {
          case .value(.link(let target)) where RoleRealm.classes.contains(name):
            turns.append((object, field, .null, .link(target)))
          case .value(.bool(true)) where field == "canRead": turns.append((object, field, .bool(false), .bool(true)))
          default: break
          }
        }
      }
    }
    guard !turns.isEmpty else { return }
    let (object, field, off, on) = random.one(of: turns)
    for payload in [off, on] {
      log.append("interlude")
      try write([RoleEdits.set(object, field, payload)], by: number)
      try rewrite()
    }
  }

  /// A client that has everything writes, and uploads it.
  private mutating func write(_ instructions: [Instruction], by number: Int) throws {
    guard !instructions.isEmpty else { return }
    log.append(instructions.map { "\($0)" }.joined(separator: "; "))
    ledger.note(instructions, by: number)
    try network.write(number, instructions, at: 200)
    try network.upload(number)
    try noteState()
  }
}
