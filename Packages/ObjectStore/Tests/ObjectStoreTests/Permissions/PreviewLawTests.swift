import Permissions
import PermissionsTestSupport
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// RUNS counts random worlds, each in a realm of its own with one object.
@Suite("getPrivileges against the reference monitor")
struct PreviewLawTests {
  struct Difference: CustomStringConvertible {
    var run: Int
    var user: String
    var question: String
    var realm: Privileges
    var monitor: Privileges

    var description: String { "world \(run), \(user), \(question): realm \(realm), monitor \(monitor)" }
  }

  /// The first difference in random worlds between live realms and a monitor.
  func compare(runs: Int, seed: UInt64, broken: MonitorRule? = nil) throws -> Difference? {
    var maker = WorldMaker(random: SeededGenerator(seed: seed))
    for run in 0..<runs {
      var world = maker.world()
      world.administrators = []
      world.tokens = [:]
      world.classLists["Plain"] = world.classLists["Dog"]
      var thing = maker.thing()
      thing.className = thing.list == nil ? "Plain" : "Dog"
      thing.isNew = false
      let stored = try StoredWorld(world, file: try memoryFile(recordsChangesets: true))
      try stored.store(thing.list, id: 1)
      let monitor = ReferenceMonitor(world: world, broken: broken)
      for user in world.users {
        let realm = try Realm(configuration: queryBased(UserId(user), stored.file.location))
        for (question, found, expected) in answers(realm, user, thing, monitor) where found != expected {
          return Difference(run: run, user: user, question: question, realm: found, monitor: expected)
        }
      }
    }
    return nil
  }

  /// The answers of a realm, beside those of the monitor about the deeds that they stand for.
  private func answers(
    _ realm: Realm, _ user: String, _ thing: Thing, _ monitor: ReferenceMonitor
  ) -> [(String, Privileges, Privileges)] {
    func told(_ deeds: [(Privileges, Deed)]) -> Privileges {
      guard monitor.hearsPrivileges(user) else { return [] }
      return deeds.reduce(into: []) { if monitor.judge(user, $1.1) == .allowed { $0.insert($1.0) } }
    }
    let name = thing.className
    let any = Thing(className: name)
    let found: Object? =
      thing.list == nil
      ? realm.object(ofType: Unguarded.self, forPrimaryKey: 1) : realm.object(ofType: Guarded.self, forPrimaryKey: 1)
    let onObject = found.map { Privileges(rawValue: realm.getPrivileges($0).rawValue) } ?? []
    let onClass = Privileges(rawValue: realm.getPrivileges(forClassNamed: name).rawValue)
    let byType = name == "Dog" ? realm.getPrivileges(Guarded.self) : realm.getPrivileges(Unguarded.self)
    let onRealm = Privileges(rawValue: realm.getPrivileges().rawValue)
    return [
      (
        "object", onObject,
        told([
          (.read, .read(thing)), (.update, .update(thing)), (.delete, .delete(thing)),
          (.setPermissions, .relist(thing, thing.list)),
        ])
      ),
      (
        // Update of a class that is not readable is told as its list grants it, and leads nowhere.
        "class", onClass.subtracting(onClass.contains(.read) ? .setPermissions : [.setPermissions, .update]),
        told([(.read, .read(any)), (.update, .update(any)), (.query, .subscribe(name)), (.create, .create(name))])
      ),
      ("class by type", Privileges(rawValue: byType.rawValue), onClass),
      ("realm", onRealm.intersection(.modifySchema), told([(.modifySchema, .addClass)])),
    ]
  }

  @Test("a live realm answers as the monitor does, for objects, classes and the realm")
  func law() throws {
    let environment = FuzzEnvironment(runs: 200)
    let difference = try compare(runs: environment.runs, seed: environment.seed)
    #expect(difference == nil, "SEED=\(environment.seed) \(difference?.description ?? "")")
  }

  @Test(
    "a monitor with one broken rule is caught",
    arguments: [
      MonitorRule.realmsWithoutListAreOpen, .rightsAreTheSumOfRoles, .onlyMembersHaveARole,
      .realmsWithoutUpdateAreReadOnly, .missingClassListsAllow, .emptyClassListsDeny, .classReadComesFirst,
      .classBoundsObjects, .missingObjectListsAllow, .emptyObjectListsDeny, .objectListsAskTheirOwnSetPermissions,
      .objectListsAskNoUpdate,
    ])
  func canary(rule: MonitorRule) throws {
    #expect(try compare(runs: 300, seed: 1, broken: rule) != nil, "breaking \(rule) goes unseen")
  }
}
