import ChangesetOT
import DataModel
import Permissions
import StorageEngine

extension ServerHistory {
  /// The newest version whose permissions are known, and these; nil for a realm without permissions.
  struct KnownPermissions: Sendable {
    var version: ServerVersion
    var state: PermissionState?
  }

  /// The permissions at the newest version of a snapshot; nil when the realm has none in force.
  ///
  /// - Complexity: O(*n*) in the changesets since the last time; all facts the first time.
  func permissionState(_ state: ServerState, in readView: ReadView) throws -> PermissionState? {
    let known = permissions.withLock { $0 }
    if let known, known.version == state.current { return known.state.flatMap { $0.isInForce ? $0 : nil } }
    let found = try updated(known, state, in: readView)
    permissions.withLock { newest in
      if newest.map({ $0.version <= state.current }) ?? true {
        newest = KnownPermissions(version: state.current, state: found)
      }
    }
    return found
  }

  private func updated(
    _ known: KnownPermissions?, _ state: ServerState, in readView: ReadView
  ) throws -> PermissionState? {
    guard readView.catalog[PermissionClass.realm.rawValue] != nil else { return nil }
    guard let known, var permissions = known.state, known.version >= state.base, known.version < state.current else {
      let permissions = try PermissionState(in: readView)
      return permissions.isInForce ? permissions : nil
    }
    let range = Int64(known.version.rawValue) + 1...Int64(state.current.rawValue)
    try permissions.update(after: try touches(in: range), in: readView)
    return permissions.isInForce ? permissions : nil
  }

  /// The facts of permissions that versions touched.
  func touches(in range: ClosedRange<Int64>) throws -> PermissionTouches {
    try versionsTouchingPermissions(in: range).reduce(into: PermissionTouches()) { $0.add($1.touches) }
  }

  /// The versions that touched facts of permissions, ascending, with these.
  ///
  /// - Complexity: O(*n*) in the bytes of the versions.
  func versionsTouchingPermissions(
    in range: ClosedRange<Int64>
  ) throws -> [(version: ServerVersion, touches: PermissionTouches)] {
    var versions: [(ServerVersion, PermissionTouches)] = []
    var position = range.lowerBound
    while position <= range.upperBound {
      for entry in try logged(in: position...range.upperBound, byteLimit: 1 << 20) {
        defer { position += 1 }
        guard !entry.isPrivate, !entry.changeset.isEmpty else { continue }
        var touches = PermissionTouches()
        touches.add(try Changeset(decoding: entry.changeset, origin: entry.author))
        if !touches.isEmpty { versions.append((ServerVersion(UInt64(position)), touches)) }
      }
    }
    return versions
  }
}
