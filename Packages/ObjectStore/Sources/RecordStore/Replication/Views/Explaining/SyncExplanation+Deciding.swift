import ChangesetOT
import DataModel
import Permissions

extension SyncExplanation {
  /// The explanation of some facts. A pure function.
  ///
  /// A user who asks about themselves is not told whether an object exists that they may not read, nor what queries would
  /// say about it.
  init(_ facts: ExplainedFacts) {
    let (object, user) = ("\(facts.object)", "user '\(facts.user)'")
    let className = facts.object.className
    switch facts.presence {
    case .noClass:
      self.init(
        .absent, "there is no \(object)",
        steps: [Step(.object, "the realm has no class '\(className)'", decides: true)])
      return
    case .notTopLevel(let kind):
      self.init(
        .absent, "there is no \(object) by itself",
        steps: [
          Step(
            .object,
            kind == .embedded
              ? "objects of class '\(className)' are embedded: they are where the objects are that hold them"
              : "objects of class '\(className)' are sent to the server and on no device", decides: true)
        ])
      return
    case .absent, .present: break
    }
    let isPresent = if case .present = facts.presence { true } else { false }
    var permissions = Self.permissionSteps(facts)
    let read = facts.decisions?.read
    // Counting as held is no proof that the user may know of the object.
    let isHeld = facts.devices.contains { device in
      if case .tooManyHolders? = device.way { false } else { device.way != nil }
    }
    // Realm and class are decided before the object is looked at.
    if let read, !read.isAllowed, read.level != .object {
      if !facts.isOwn { permissions.insert(Self.presenceStep(facts), at: 0) }
      self.init(.notReadable, "\(object) is not for \(user), who may not read its class", steps: permissions)
      return
    }
    let isHidden = read.map { !$0.isAllowed } ?? false
    if facts.isOwn, facts.decisions?.hasLists == true, !isPresent || isHidden && !isHeld {
      let text = "it does not exist, or its access list grants read to no role of the user; ask somebody who has it"
      // The same steps, whether it exists or not.
      self.init(
        .absent, "there is no \(object) that \(user) may read",
        steps: Self.classSteps(facts) + [Step(.object, text, decides: true)])
      return
    }
    guard isPresent else {
      var step = Self.presenceStep(facts)
      step.decides = true
      self.init(
        .absent, "there is no \(object)", steps: [step] + Self.classSteps(facts).map { Step($0.subject, $0.text) })
      return
    }
    let verdict = Self.verdict(facts, isHidden: isHidden)
    if verdict != .notReadable, verdict != .notSubscribable {
      for position in permissions.indices { permissions[position].decides = false }
    }
    let devices = facts.devices.flatMap { ExplainedDeviceWording(facts: facts, device: $0, verdict: verdict).steps }
    var rest: [Step] = []
    if facts.furtherDevices > 0 {
      rest.append(Step(.device, "\(facts.furtherDevices) further devices were not looked at"))
    }
    if facts.devices.isEmpty {
      let text =
        facts.device.map { "the user has no device \($0.rawValue) that syncs the realm by queries" }
        ?? "no device of the user syncs the realm by queries"
      rest.append(Step(.device, text, decides: verdict == .noDevice))
    }
    self.init(
      verdict, Self.sentence(verdict, facts), steps: [Self.presenceStep(facts)] + permissions + devices + rest)
  }

  // MARK: Parts

  private static func presenceStep(_ facts: ExplainedFacts) -> Step {
    guard case .present = facts.presence else { return Step(.object, "\(facts.object) does not exist") }
    let change = facts.lastChange.map { ", and was last changed at version \($0.rawValue)" } ?? ""
    return Step(.object, "\(facts.object) exists\(change)")
  }

  /// The decisions about reading and subscribing; refusals decide unless the object is held all the same.
  private static func permissionSteps(_ facts: ExplainedFacts) -> [Step] {
    guard let decisions = facts.decisions else {
      return [Step(.permission, "the realm has no permissions in force: everybody may read what they subscribe to")]
    }
    return [step("reading the object", decisions.read, facts)] + classSteps(facts)
  }

  /// The decision about the class alone.
  private static func classSteps(_ facts: ExplainedFacts) -> [Step] {
    guard let decisions = facts.decisions else { return [] }
    return [step("subscribing to class '\(facts.object.className)'", decisions.subscribe, facts)]
  }

  private static func step(_ verb: String, _ decision: ObjectDecision, _ facts: ExplainedFacts) -> Step {
    Step(
      .permission, "\(verb): \(facts.isOwn ? decision.reason : decision.explanation)", decides: !decision.isAllowed)
  }

  private static func verdict(_ facts: ExplainedFacts, isHidden: Bool) -> Verdict {
    let holding = facts.devices.filter { $0.way != nil }
    if holding.contains(where: { !$0.isBehind }) { return .held }
    if !holding.isEmpty { return .notYetDownloaded }
    if isHidden { return .notReadable }
    if facts.devices.isEmpty { return .noDevice }
    let outcomes = facts.devices.flatMap(\.queries).map(\.outcome)
    if outcomes.contains(where: { if case .cutOff = $0 { true } else { false } }) { return .cutOff }
    return facts.decisions?.subscribe.isAllowed ?? true ? .notSelected : .notSubscribable
  }

  private static func sentence(_ verdict: Verdict, _ facts: ExplainedFacts) -> String {
    let (object, user) = ("\(facts.object)", "user '\(facts.user)'")
    let count = facts.devices.count
    let devices = "\(count) \(count == 1 ? "device" : "devices") of \(user)"
    switch verdict {
    case .held:
      let holding = facts.devices.count { $0.way != nil && !$0.isBehind }
      return "\(object) is on \(holding) of \(devices)"
    case .notYetDownloaded: return "\(object) is on its way to \(user): it is not yet downloaded"
    case .cutOff: return "\(object) is on none of \(devices): LIMIT or DISTINCT cuts it off"
    case .notSelected:
      return "\(object) is on none of \(devices): no subscription selects it, and nothing there links to it"
    case .notSubscribable:
      return "\(object) is on none of \(devices): its class cannot be subscribed to, and nothing there links to it"
    case .notReadable: return "\(object) is not for \(user), who may not read it"
    case .absent: return "there is no \(object)"
    case .noDevice: return "\(object) is on no device: \(user) has none that syncs the realm by queries"
    }
  }
}
