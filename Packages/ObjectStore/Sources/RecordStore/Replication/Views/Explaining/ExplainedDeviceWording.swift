import ChangesetOT
import DataModel
import Permissions

/// The steps of one device in an explanation.
struct ExplainedDeviceWording {
  typealias Step = SyncExplanation.Step

  /// The most queries of a device that are listed one by one.
  private static let mostQueries = 50

  let facts: ExplainedFacts
  let device: ExplainedDevice
  let verdict: SyncExplanation.Verdict

  var steps: [Step] {
    if let refusal = device.refusal {
      return [
        deviceStep, Step(.subscription, "its queries hold nothing: \(refusal)", decides: verdict == .notSelected),
      ]
    }
    var steps = [deviceStep] + device.queries.prefix(Self.mostQueries).map(step)
    let rest = device.queries.count - Self.mostQueries
    if rest > 0 { steps.append(Step(.subscription, "\(rest) further queries for the class are not listed")) }
    if let reason = device.forbidden {
      steps.append(
        Step(
          .subscription, "its queries for class '\(facts.object.className)' select nothing: \(reason)",
          decides: verdict == .notSelected))
    } else if device.queries.isEmpty {
      steps.append(
        Step(
          .subscription, "it does not subscribe to class '\(facts.object.className)'",
          decides: verdict == .notSelected))
    }
    return steps + wayStep + [progressStep]
  }

  private var deviceStep: Step {
    let classes = "\(device.subscribedClasses) \(device.subscribedClasses == 1 ? "class" : "classes")"
    return Step(.device, "device \(device.ident.rawValue) subscribes to \(classes)")
  }

  private func step(_ query: ExplainedDevice.Query) -> Step {
    switch query.outcome {
    case .selects: Step(.subscription, "selected by \(query.text)", decides: device.way != nil)
    case .cutOff:
      Step(.subscription, "matched, and cut off by LIMIT or DISTINCT: \(query.text)", decides: verdict == .cutOff)
    case .unreadable: Step(.subscription, "matched, and not readable for the user: \(query.text)")
    case .differs: Step(.subscription, "not matched by \(query.text)", decides: verdict == .notSelected)
    }
  }

  // MARK: The way

  private var wayStep: [Step] {
    guard let way = device.way else {
      guard device.followsLinks else { return [] }
      let text = "nothing that the device is to hold links to the object"
      return [Step(.link, text, decides: verdict == .notSelected || verdict == .notSubscribable)]
    }
    // The step of the subscription says it.
    if case .selected = way { return [] }
    return [Step(.link, text(way), decides: true)]
  }

  private func text(_ way: ExplainedDevice.Way) -> String {
    switch way {
    case .selected(let query): return "selected by \(query)"
    case .implied: return "held because users, roles and the lists of the realm and its classes are in every view"
    case .included(let query, let target): return "held because of the INCLUDE of \(query), which selects \(target)"
    case .linked(let links, let start):
      let chain = links.map { "\($0.holder).\($0.field) -> " }.joined() + "\(facts.object)"
      let reason = links.first.map { "; \($0.holder) is \(text(start))" } ?? ""
      return "held because a link leads to it: \(chain)\(reason)"
    case .tooManyHolders: return "counts as held: too many objects lead to it to look at them all"
    }
  }

  // MARK: Progress

  private var progressStep: Step {
    let (seen, newest) = (device.acknowledged.rawValue, facts.current.rawValue)
    let decides = verdict == .notYetDownloaded && device.way != nil
    if device.isExpired {
      return Step(.progress, "the device was away for too long and starts anew when it comes back", decides: decides)
    }
    guard device.way != nil else {
      return Step(
        .progress,
        seen >= newest
          ? "the device acknowledged version \(seen), the newest"
          : "the device acknowledged version \(seen) of \(newest), and may hold the object until it has the rest")
    }
    if let unseen = device.unseen {
      let text = "not yet downloaded: the device acknowledged version \(seen), \(text(unseen))"
      return Step(.progress, text, decides: decides)
    }
    if device.since > device.acknowledged {
      let text =
        "not yet downloaded: the device acknowledged version \(seen), its subscriptions hold from \(device.since.rawValue) on"
      return Step(.progress, text, decides: decides)
    }
    if seen >= newest { return Step(.progress, "the device acknowledged version \(seen), the newest") }
    let rest = device.knowsChanges ? "the object did not change since" : "older changes of the object are not known"
    return Step(.progress, "the device acknowledged version \(seen) of \(newest); \(rest)")
  }

  private func text(_ change: ExplainedDevice.Change) -> String {
    switch change {
    case .object(let version): "the object changed at \(version.rawValue)"
    case .holder(let holder, let version): "\(holder) changed at \(version.rawValue)"
    case .permissions(let version): "the permissions of the realm changed at \(version.rawValue)"
    }
  }
}
