import Permissions
import PermissionsTestSupport
import TestKit
import Testing

/// RUNS counts random worlds; each is asked about thirteen deeds of three users.
@Suite("Permissions of objects against the reference monitor")
struct MonitorLawTests {
  /// A deed on which product and monitor differ.
  struct Difference: CustomStringConvertible {
    var world: Int
    var user: String
    var deed: Deed
    var product: ObjectDecision
    var monitor: Verdict

    var description: String { "world \(world): \(user) \(deed): monitor \(monitor), product \(product.explanation)" }
  }

  /// The first difference in random worlds, and how often each rule decided before it.
  func compare(
    runs: Int, seed: UInt64, broken: MonitorRule? = nil
  ) -> (difference: Difference?, rules: [PermissionRule: Int]) {
    var maker = WorldMaker(random: SeededGenerator(seed: seed))
    var rules: [PermissionRule: Int] = [:]
    for run in 0..<runs {
      let world = maker.world()
      let deeds = maker.deeds(in: world)
      let actions = deeds.map { ObjectAction($0) }
      let table = world.table
      let monitor = ReferenceMonitor(world: world, broken: broken)
      for user in world.users {
        let permissions = world.permissions(of: user, in: table)
        for (deed, action) in zip(deeds, actions) {
          let decision = permissions.decide(action, in: table.restricted(to: permissions.user))
          let verdict = monitor.judge(user, deed)
          rules[decision.rule, default: 0] += 1
          if decision.verdict != verdict {
            return (Difference(world: run, user: user, deed: deed, product: decision, monitor: verdict), rules)
          }
        }
      }
    }
    return (nil, rules)
  }

  @Test("product and monitor give the same answer to every user for every deed")
  func law() {
    let environment = FuzzEnvironment(runs: 10_000)
    let (difference, rules) = compare(runs: environment.runs, seed: environment.seed)
    #expect(difference == nil, "SEED=\(environment.seed) \(difference?.description ?? "")")
    guard environment.runs >= 1_000 else { return }
    for rule in PermissionRule.allCases {
      #expect(rules[rule, default: 0] > environment.runs / 100, "\(rule) decides too seldom to be tested")
    }
  }

  @Test("a monitor with one broken rule is caught", arguments: MonitorRule.allCases)
  func canary(rule: MonitorRule) {
    #expect(compare(runs: 10_000, seed: 1, broken: rule).difference != nil, "breaking \(rule) goes unseen")
  }

  @Test("privileges and previews say what the monitor says about the deeds that they stand for")
  func privileges() {
    let environment = FuzzEnvironment(runs: 1_000)
    var maker = WorldMaker(random: environment.generator)
    for run in 0..<environment.runs {
      let world = maker.world()
      let table = world.table
      let monitor = ReferenceMonitor(world: world)
      var thing = maker.thing()
      thing.isNew = false
      let (name, list) = (thing.className, AccessList(thing.list))
      for user in world.users {
        let permissions = world.permissions(of: user, in: table)
        func allows(_ deed: Deed) -> Bool { monitor.judge(user, deed) == .allowed }
        let object: Privileges = [
          allows(.read(thing)) ? .read : [], allows(.update(thing)) ? .update : [],
          allows(.delete(thing)) ? .delete : [], allows(.relist(thing, thing.list)) ? .setPermissions : [],
        ]
        let seed = "SEED=\(environment.seed) run \(run) \(user) \(thing)"
        let found = permissions.privileges(onObjectWith: list, inClass: name, of: table)
        #expect(found == object, "\(seed)")
        let onClass = permissions.privileges(onClass: name)
        #expect(onClass.contains(.query) == allows(.subscribe(name)), "\(seed)")
        #expect(onClass.contains(.create) == allows(.create(name)), "\(seed)")
        #expect(onClass.contains(.modifySchema) == allows(.addProperty(name)), "\(seed)")
        #expect(permissions.privilegesOnRealm.contains(.modifySchema) == allows(.addClass), "\(seed)")
        let preview = permissions.preview(ofObjectWith: list, inClass: name, of: table)
        #expect(preview == (monitor.hearsPrivileges(user) ? object : []), "\(seed)")
      }
    }
  }

  @Test("permissions that follow changes are those compiled afresh")
  func updating() {
    let environment = FuzzEnvironment(runs: 300)
    var maker = WorldMaker(random: environment.generator)
    for run in 0..<environment.runs {
      let world = maker.world()
      var table = world.table
      var followed = world.users.map { world.permissions(of: $0, in: table) }
      for step in 0..<20 {
        let change = maker.change()
        table.apply(change)
        for (index, user) in world.users.enumerated() {
          let before = followed[index]
          let changed = followed[index].update(after: change, in: table)
          let fresh = world.permissions(of: user, in: table)
          #expect(followed[index] == fresh, "SEED=\(environment.seed) run \(run) step \(step): \(change)")
          #expect(changed == (before != fresh), "SEED=\(environment.seed) run \(run) step \(step): \(change)")
        }
      }
    }
  }
}
