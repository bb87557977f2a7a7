import ChangesetOT
import DataModel
import Permissions

/// The entries of access lists at past versions, where every permission object that versions touched is what it has been since it was
/// made.
struct PastEntries {
  private let past: PastStates
  private let start: ServerVersion
  private let reader: PermissionReader

  /// - Parameters:
  ///   - past: the inverses since the start.
  ///   - readView: of the newest version.
  init(_ past: PastStates, since start: ServerVersion, _ readView: ReadView) {
    self.past = past
    self.start = start
    reader = PermissionReader(readView)
  }

  /// The list of an object's state at a version: the entries that were there then.
  ///
  /// - Complexity: O(*n*) in the entries.
  func list(of state: OwnState, at version: ServerVersion) throws -> AccessList {
    .entries(
      try state.entries.compactMap { key in
        let object = ObjectReference(className: PermissionClass.permission.rawValue, key: key)
        let made = past.touched(object, after: start).last { !$0.part.existed }
        return try made.map { $0.version > version } ?? false ? nil : reader.entry(of: key)
      })
  }
}
