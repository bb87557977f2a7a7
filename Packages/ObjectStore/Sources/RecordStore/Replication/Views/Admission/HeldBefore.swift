import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// The objects that an author's file held at the base of an upload, of the classes whose membership depends on other objects;
/// of all classes when the author's roles changed since then.
struct HeldBefore {
  private let start: ServerVersion
  private let isWhole: Bool
  /// The queries at the base; nil when it is not known what the file held.
  private let queries: RealmQueries?
  private let content: ViewContent

  /// - Parameters:
  ///   - held: the set of the file at the base; nil when it is not known.
  ///   - touches: of the versions since then.
  init(
    _ held: ViewStages.Stage?, at start: ServerVersion, _ evaluator: ViewEvaluator, _ touches: PermissionTouches
  ) throws {
    self.start = start
    guard let held, let queries = try? evaluator.queries(held.set, held.scope, at: start) else {
      (isWhole, queries, content) = (false, nil, ViewContent())
      return
    }
    isWhole = try evaluator.changesRoles(of: held.scope.access, from: start, to: evaluator.current, touches)
    self.queries = queries
    content =
      isWhole || !queries.dependent.isEmpty
      ? try evaluator.content(held.set, held.scope, isWhole: isWhole, at: start) : ViewContent()
  }

  /// Whether the objects of a class were held, or not, because of other objects or of roles.
  func depends(_ className: String) -> Bool { isWhole || queries?.dependent.contains(className) ?? false }

  /// The place of an object at the base.
  func place(of object: ObjectReference, _ evaluator: ViewEvaluator) throws -> ObjectTimeline.Place {
    if let queries, !depends(object.className) {
      let timelines = try queries.timelines(
        of: [object], object.className, evaluator.past, since: start, in: evaluator.readView)
      return timelines[object]?.places.first ?? .absent
    }
    if content.contains(object) { return .inside }
    let existed: Bool
    if let first = evaluator.past.touched(object, after: start).first {
      existed = first.part.existed
    } else {
      let layout = evaluator.readView.catalog[object.className]
      existed = try layout.flatMap { try evaluator.readView.row(object.key, $0) } != nil
    }
    return existed ? .outside : .absent
  }
}
