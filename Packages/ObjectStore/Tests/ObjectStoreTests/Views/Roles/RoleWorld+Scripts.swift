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
    guard !instructions.isEmpty else { return }
    log.append("rewrite: " + instructions.map { "\($0)" }.joined(separator: "; "))
    ledger.note(instructions, by: number)
    try network.write(number, instructions, at: 200)
    try network.upload(number)
    try noteState()
  }
}
