import ChangesetOT
import DataModel

/// The queries of a set within a write transaction, whose classes and fields come as it goes on.
///
/// A set that does not fit the classes selects nothing.
final class ViewQueries {
  private let set: QuerySet
  private var made: (revision: UInt64, queries: RealmQueries?)?

  init(_ set: QuerySet) { self.set = set }

  private func queries(_ readView: ReadView) -> RealmQueries? {
    if let made, made.revision == readView.catalog.revision { return made.queries }
    let queries = try? RealmQueries(set, readView)
    made = (readView.catalog.revision, queries)
    return queries
  }

  /// Where objects of one class were at a version.
  func places(
    of objects: [ObjectReference], _ className: String, _ past: PastStates, at version: ServerVersion,
    _ readView: ReadView
  ) throws -> [ObjectReference: ViewChanges.Place] {
    if let query = queries(readView)?[className] {
      return try past.places(of: objects, query, at: version, in: readView)
    }
    var places: [ObjectReference: ViewChanges.Place] = [:]
    for object in objects {
      guard let layout = readView.catalog[className] else { continue }
      let exists = try past.values(of: [], object, layout, at: version, in: readView) != nil
      places[object] = exists ? .outside : .absent
    }
    return places
  }

  /// Whether an object is selected now.
  func selects(_ object: ObjectReference, _ readView: ReadView) throws -> Bool {
    try places(of: [object], object.className, PastStates(), at: .newest, readView)[object] == .inside
  }
}
