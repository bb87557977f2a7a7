import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import RecordStore

@Suite("the explanation of facts")
struct ExplanationTableTests {
  private static let user = UserId("bob")

  private static func decision(_ level: PermissionLevel?) -> ObjectDecision {
    var table = PermissionTable()
    table.apply(PermissionDefaults.opening(table, classes: ["Room"]))
    table.apply(PermissionDefaults.connecting(user, to: table))
    switch level {
    case .realm: table.apply(.setRealmList(.empty))
    case .class: table.apply(.setClassList("Room", .empty))
    default: break
    }
    let list: AccessList = level == .object ? .empty : .missing
    return UserPermissions(table, user: user).decide(.read(ObjectFacts("Room", list: list)), in: table)
  }

  private static func facts(_ change: (inout ExplainedFacts) -> Void) -> ExplainedFacts {
    var facts = ExplainedFacts(
      object: ObjectReference(className: "Room", key: .string("secret")), user: "bob", isOwn: false, presence: .present,
      current: ServerVersion(9))
    facts.decisions = ExplainedFacts.Decisions(read: decision(nil), subscribe: decision(nil), hasLists: true)
    change(&facts)
    return facts
  }

  private static func hidden(_ level: PermissionLevel, _ devices: [ExplainedDevice]) -> ExplainedFacts {
    facts {
      $0.devices = devices
      $0.decisions?.read = decision(level)
    }
  }

  private static func device(_ change: (inout ExplainedDevice) -> Void = { _ in }) -> ExplainedDevice {
    var device = ExplainedDevice(ident: FileIdent(3), acknowledged: ServerVersion(9), since: ServerVersion(2))
    change(&device)
    return device
  }

  private static let held = device {
    $0.way = .selected(query: "TRUEPREDICATE")
    $0.queries = [.init(text: "TRUEPREDICATE", outcome: .selects)]
  }
  private static let late = device {
    ($0.way, $0.unseen, $0.acknowledged) = (.implied, .object(ServerVersion(8)), ServerVersion(5))
  }
  private static let other = device { $0.queries = [.init(text: "size > 3", outcome: .differs)] }
  private static let cut = device { $0.queries = [.init(text: "LIMIT(1)", outcome: .cutOff)] }

  private static var rows: [(String, ExplainedFacts, SyncExplanation.Verdict)] {
    [
      ("no class", facts { $0.presence = .noClass }, .absent),
      ("embedded", facts { $0.presence = .notTopLevel(.embedded) }, .absent),
      ("absent", facts { $0.presence = .absent }, .absent),
      ("no device", facts { _ in }, .noDevice),
      ("held", facts { $0.devices = [held] }, .held),
      ("held by one of two", facts { $0.devices = [late, held] }, .held),
      ("late", facts { $0.devices = [late, other] }, .notYetDownloaded),
      ("expired", facts { $0.devices = [device { ($0.way, $0.isExpired) = (.implied, true) }] }, .notYetDownloaded),
      ("cut off", facts { $0.devices = [other, cut] }, .cutOff),
      ("not selected", facts { $0.devices = [other] }, .notSelected),
      (
        "not subscribable",
        facts {
          $0.devices = [device()]
          $0.decisions?.subscribe = decision(.class)
        }, .notSubscribable
      ),
      ("hidden by its list", hidden(.object, [other]), .notReadable),
      ("hidden by its class", hidden(.class, [other]), .notReadable),
      ("hidden by the realm", hidden(.realm, []), .notReadable),
      // An object comes with the one that links to it.
      ("hidden and held", hidden(.object, [held]), .held),
      ("hidden and without roles", facts { ($0.devices, $0.decisions) = ([held], nil) }, .held),
    ]
  }

  @Test("has the verdict of its row, and a step that decides")
  func verdicts() {
    for (name, facts, verdict) in Self.rows {
      let explanation = SyncExplanation(facts)
      #expect(explanation.verdict == verdict, "\(name): \(explanation)")
      #expect(explanation.steps.contains { $0.decides }, "\(name): \(explanation)")
    }
  }

  @Test("tells users about themselves the same of hidden and of absent objects, whatever their devices are")
  func ownAnswers() {
    let absent = SyncExplanation(
      Self.facts { facts in
        (facts.isOwn, facts.presence) = (true, .absent)
      })
    let tooMany = Self.device { $0.way = .tooManyHolders }
    for devices in [[], [Self.other], [Self.cut], [tooMany]] {
      let hidden = SyncExplanation(
        Self.facts { facts in
          (facts.isOwn, facts.devices, facts.lastChange) = (true, devices, ServerVersion(8))
          facts.decisions?.read = Self.decision(.object)
        })
      #expect(hidden == absent)
    }
  }
}
