import ChatCore
import CommandLineKit
import RealmSwift

extension RealmChatStore {
  /// Lets everyone open the realms, and applies the rules inside the one that is synced by queries.
  ///
  /// - Throws: `CommandFailure` when the user is no administrator, or the server cannot be reached or refuses.
  func lockDown(seconds: Double) throws -> [LockdownRule] {
    guard let account, account.user.isAdmin else {
      throw CommandFailure(
        "only an administrator of the server may do this",
        remedy: "make one with 'realm-object-server users create NAME --admin', and log in as NAME")
    }
    // The classes must be on the server before nobody may add any, and the permissions here before they can be changed.
    try checked(wait(for: .upload, seconds: seconds, isPatient: true))
    try checked(wait(for: .download, seconds: seconds, isPatient: true))
    for path in [ChatConfigurations.roomsPath, ChatConfigurations.directoryPath] { try account.openToEveryone(path) }
    try queue.sync { try apply(LockdownRule.all) }
    try checked(wait(for: .upload, seconds: seconds, isPatient: true))
    return LockdownRule.all
  }

  private func checked(_ outcome: WaitOutcome) throws {
    switch outcome {
    case .done: return
    case .notSyncing: throw CommandFailure("syncing is switched off", remedy: "run 'chat online' first")
    case .disconnected, .timedOut:
      throw CommandFailure("the server did not answer in time", remedy: "check it, or wait longer with '--wait'")
    case .notServed(let problem), .failed(let problem): throw CommandFailure(problem.message, remedy: problem.remedy)
    }
  }

  private func apply(_ rules: [LockdownRule]) throws {
    let realm = realms.rooms
    realm.refresh()
    for rule in rules { try checkHasList(rule, realm) }
    try realm.write {
      for rule in rules {
        let list = rule.className.map { realm.permissions(forClassNamed: $0) } ?? realm.permissions
        let isNew = !list.contains { $0.role?.name == "everyone" }
        let entry = list.findOrCreate(forRoleNamed: "everyone")
        // Where everyone had nothing of their own, they get what the rule leaves.
        if isNew { entry.setAll() }
        for loss in rule.losses { entry.withdraw(loss) }
      }
    }
  }

  private func checkHasList(_ rule: LockdownRule, _ realm: Realm) throws {
    let hasList =
      if let name = rule.className {
        realm.object(ofType: ClassPermission.self, forPrimaryKey: name) != nil
      } else {
        realm.object(ofType: RealmPermission.self, forPrimaryKey: 0) != nil
      }
    guard hasList else {
      throw CommandFailure(
        "the server has not sent the permissions of \(rule.className.map { "class '\($0)'" } ?? "the realm")",
        remedy: "use a server that enforces permissions inside realms")
    }
  }
}

extension Permission {
  fileprivate func setAll() {
    (canRead, canUpdate, canDelete, canSetPermissions) = (true, true, true, true)
    (canQuery, canCreate, canModifySchema) = (true, true, true)
  }

  /// Takes a privilege away. What is not there is not written.
  fileprivate func withdraw(_ loss: LockdownRule.Loss) {
    switch loss {
    case .query: if canQuery { canQuery = false }
    case .create: if canCreate { canCreate = false }
    case .update: if canUpdate { canUpdate = false }
    case .delete: if canDelete { canDelete = false }
    case .setPermissions: if canSetPermissions { canSetPermissions = false }
    case .modifySchema: if canModifySchema { canModifySchema = false }
    }
  }
}
