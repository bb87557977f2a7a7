import ChangesetOT
import DataModel
import Permissions
import StorageEngine

extension ServerHistory {
  /// Versions that are looked at for changes.
  private static let mostVersions: UInt64 = 10_000

  /// Looks for the changes that devices have not acknowledged: of the object, of the objects through which they hold it, and of
  /// the permissions of the realm. What a device changed by itself it has.
  ///
  /// - Complexity: O(*n*) in the versions that the devices have not acknowledged, up to 10 000 of them.
  func lookForChanges(_ facts: inout ExplainedFacts, _ state: ServerState, in snapshot: Snapshot) throws {
    let current = state.current
    let known = try InverseLog.since(in: snapshot) ?? current
    let recent = ServerVersion(current.rawValue - min(current.rawValue, Self.mostVersions))
    let oldest = facts.devices.map(\.acknowledged).min() ?? current
    let since = max(known, state.base, recent, min(oldest, current))
    for index in facts.devices.indices {
      facts.devices[index].knowsChanges = facts.devices[index].acknowledged >= since
    }
    guard since < current else { return }
    let holders = facts.devices.map { $0.way?.holders ?? [] }
    let range = Int64(clamping: since.rawValue) + 1...Int64(clamping: current.rawValue)
    for item in try file.store.log(InverseLog.entries).entries(in: range) {
      let version = ServerVersion(UInt64(clamping: item.position))
      let touched = Set(try VersionInverse(decoding: item.content).parts.map(\.object))
      if touched.contains(facts.object) { facts.lastChange = version }
      let roles = facts.decisions != nil && touched.contains { PermissionClass(rawValue: $0.className) != nil }
      var source: FileIdent?
      for index in facts.devices.indices {
        let device = facts.devices[index]
        guard device.unseen == nil, version > device.acknowledged else { continue }
        var changed: ExplainedDevice.Change?
        if touched.contains(facts.object) {
          changed = .object(version)
        } else if let holder = holders[index].first(where: touched.contains) {
          changed = .holder(holder, version)
        } else if roles {
          changed = .permissions(version)
        }
        guard let changed else { continue }
        if source == nil {
          source = try logged(in: item.position...item.position, byteLimit: 1).first?.source ?? .server
        }
        if source != device.ident { facts.devices[index].unseen = changed }
      }
    }
  }
}

extension ExplainedDevice.Way {
  /// The objects other than the one asked about because of which that one is held.
  fileprivate var holders: [ObjectReference] {
    switch self {
    case .selected, .implied, .tooManyHolders: []
    case .included(_, let target): [target]
    case .linked(let links, let start): links.map(\.holder) + start.holders
    }
  }
}
