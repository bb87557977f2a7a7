import ChangesetOT
import DataModel
import Permissions
import RecordStore
import TestKit

/// The subscriptions of one replica that is synced by queries: the sets that were chosen, and what the file must hold by them.
final class ReplicaView {
  private let store: SubscriptionStore
  private let device: String
  private let usesEveryType: Bool
  private var chosen: [QueryVersion: [ViewQuery]] = [:]

  /// Makes the file one that is synced by queries.
  init(_ file: RealmFile, device: String, usesEveryType: Bool) throws {
    store = SubscriptionStore(file)
    self.device = device
    self.usesEveryType = usesEveryType
    try store.prepare()
  }

  /// Stores another set. With a full disk that has no effect.
  ///
  /// - Returns: the set; nil when none was stored.
  func change(using random: inout SeededGenerator) throws -> String? {
    let queries = ViewQuery.some(for: device, everyType: usesEveryType, using: &random)
    do {
      let version = try store.update { subscriptions in
        subscriptions = queries.map { SubscriptionRecord(className: $0.className, query: $0.text) }
      }
      guard let version else { return nil }
      chosen[version] = queries
      return try store.sets()?[version].map { "\(version.rawValue) \($0.querySet.json)" }
    } catch let error as RecordStoreError where error.code == .outOfDiskSpace { return nil }
  }

  /// The part of the server's objects that the set in force selects, with all that these link to, and the roles of the realm,
  /// which nobody subscribes to. Of a class that the set does not fit it selects nothing: the set was accepted before the class
  /// was there.
  func selected(of server: StateDump) throws -> StateDump {
    let queries = try store.sets().flatMap { chosen[$0.active.version] } ?? []
    var roots: [ObjectReference] = []
    for (name, objects) in server.objects {
      var own = queries.filter { $0.className == name }
      if !own.allSatisfy(\.isServable) { own = [] }
      let isOfRoles = PermissionClass(rawValue: name) != nil
      for (key, fields) in objects where isOfRoles || own.contains(where: { $0.selects(fields) }) {
        roots.append(ObjectReference(className: name, key: key))
      }
    }
    return server.reach(from: roots)
  }

  /// The reason why the last set is not in force, or not refused as it must be; nil when it is as it should be.
  func trouble() throws -> String? {
    guard let sets = try store.sets() else { return "has no subscriptions" }
    // Set 0 is never sent: after a reset that came before its bootstrap nothing completes it.
    for set in sets.sets where set.version != .zero {
      let isServable = chosen[set.version]?.allSatisfy(\.isServable) ?? true
      switch set.state {
      // Also a set that came before the class that it does not fit.
      case .complete: continue
      case .error where !isServable: continue
      case .pending, .bootstrapping, .awaitingMark, .error:
        return "set \(set.version.rawValue) (\(set.querySet.json)) is \(set.state): \(set.message)"
      }
    }
    return nil
  }
}
