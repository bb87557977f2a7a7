import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import RecordStore

/// The changes of others to a realm since the version that the database has of it.
///
/// They are kept from one transaction of the database to the next, so that each reads only what is new of the history, however far the
/// database is behind. One task at a time.
final class OthersChanges {
  private var objects: [ObjectReference: ChangedObjects.Versions] = [:]
  private var end: SaltedServerVersion?
  /// The objects that there were when those of older versions were dropped.
  private var kept = 0

  /// Reads what came since the last call.
  ///
  /// - Parameters:
  ///   - adapter: at the stored position of the connector.
  ///   - base: the version that the database has: older changes are not asked for any more.
  /// - Throws: as `RealmAdapter.changedObjects(includesOwn:)`.
  /// - Complexity: O(*n*) in what is new.
  func read(_ adapter: RealmAdapter, since base: ServerVersion) throws {
    guard let new = try newChanges(adapter) else { return }
    end = new.position
    for object in new.objects {
      guard let versions = new.versions(of: object) else { continue }
      objects[object, default: ChangedObjects.Versions()].merge(versions)
    }
    guard objects.count > 2 * kept + 1_000 else { return }
    objects = objects.filter { $0.value.isAfter(base, nil) }
    kept = objects.count
  }

  /// From where the last call ended, or from the position of the connector when the history does not know that any more.
  private func newChanges(_ adapter: RealmAdapter) throws -> ChangedObjects? {
    if let end {
      do {
        var adapter = adapter
        try adapter.resume(after: end)
        return try adapter.changedObjects()
      } catch is FeedError { objects = [:] }
    }
    var adapter = adapter
    return try adapter.changedObjects()
  }

  /// Whether a property of an object changed after a version, or the object as a whole.
  func touch(_ object: ObjectReference, _ property: String?, after base: ServerVersion) -> Bool {
    objects[object]?.isAfter(base, property) ?? false
  }
}

extension ChangedObjects.Versions {
  fileprivate func isAfter(_ base: ServerVersion, _ property: String?) -> Bool {
    if let whole, whole > base { return true }
    guard let property else { return properties.values.contains { $0 > base } }
    return properties[property].map { $0 > base } ?? false
  }
}
