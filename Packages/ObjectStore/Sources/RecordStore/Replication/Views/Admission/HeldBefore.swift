import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// The objects that an author's file held at the base of an upload, of the classes whose membership depends on other objects;
/// of all classes when the author's roles changed since then.
struct HeldBefore {
  private let start: ServerVersion
  private let isWhole: Bool
  private let dependent: Set<String>
  private let content: ViewContent

  /// - Parameters:
  ///   - held: the set of the file at the base; nil when it is not known.
  ///   - touches: of the versions since then.
  init(
    _ held: ViewStages.Stage?, at start: ServerVersion, _ evaluator: ViewEvaluator, _ touches: PermissionTouches
  ) throws {
    self.start = start
    guard let held, let queries = try? evaluator.queries(held.set, held.scope, at: start) else {
      (isWhole, dependent, content) = (false, [], ViewContent())
      return
    }
    isWhole = try evaluator.changesRoles(of: held.scope.access, from: start, to: evaluator.current, touches)
    dependent = queries.dependent
    content =
      isWhole || !dependent.isEmpty
      ? try evaluator.content(held.set, held.scope, isWhole: isWhole, at: start) : ViewContent()
  }

  /// Whether the objects of a class were held, or not, because of other objects or of roles.
  func depends(_ className: String) -> Bool { isWhole || dependent.contains(className) }

  /// The place of an object at the base.
  func place(of object: ObjectReference, _ evaluator: ViewEvaluator) throws -> ObjectTimeline.Place {
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

  /// Whether the file was told anything of an object since the base but the changes of others as they are, or will be.
  ///
  /// - Parameters:
  ///   - place: at the base.
  ///   - isHeld: whether the file is to hold the object now.
  ///   - flips: what the file was sent besides.
  func hasMoved(
    _ object: ObjectReference, from place: ObjectTimeline.Place, isHeld: Bool, _ evaluator: ViewEvaluator,
    _ flips: ViewFlips
  ) -> Bool {
    guard start < evaluator.current else { return false }
    if flips.contains(object, after: start) { return true }
    // Made by others meanwhile, or made anew.
    if evaluator.past.touched(object, after: start).contains(where: { !$0.part.existed }) { return true }
    return place == .inside && !isHeld
  }
}
