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

  /// Where objects of one class were from a version on.
  func timelines(
    of objects: [ObjectReference], _ className: String, _ past: PastStates, since base: ServerVersion,
    _ readView: ReadView
  ) throws -> [ObjectReference: ObjectTimeline] {
    try past.timelines(of: objects, className, queries(readView)?[className], since: base, in: readView)
  }

  /// Where objects of one class are now.
  func places(
    of objects: [ObjectReference], _ className: String, _ readView: ReadView
  ) throws -> [ObjectReference: ObjectTimeline.Place] {
    try timelines(of: objects, className, PastStates(), since: .zero, readView).mapValues { $0.places[0] }
  }

  /// Whether an object is selected now.
  func selects(_ object: ObjectReference, _ readView: ReadView) throws -> Bool {
    try places(of: [object], object.className, readView)[object] == .inside
  }
}
