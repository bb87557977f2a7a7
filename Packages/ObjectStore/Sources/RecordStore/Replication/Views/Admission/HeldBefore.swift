import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// The objects that an author's file held at the base of an upload, of the classes whose membership depends on other objects;
/// of all classes when the author's roles changed since then.
struct HeldBefore {
  private let start: ServerVersion
  private let isWhole: Bool
  /// Whether it was not looked for, as the batch has too many bases: every object counts as held, and as one that may have come or
  /// gone since; a permission object does not.
  let isUnknown: Bool
  /// The facts of permissions that were touched since then; none when that is not looked for.
  let touches: PermissionTouches
  /// The queries at the base; nil when it is not known what the file held.
  private let queries: RealmQueries?
  private let content: ViewContent

  /// - Parameters:
  ///   - held: the set of the file at the base; nil when it is not known.
  ///   - hasOthers: whether the file had other sets since then.
  ///   - bases: of the batch.
  init(
    _ held: ViewStages.Stage?, at start: ServerVersion, hasOthers: Bool, _ evaluator: ViewEvaluator, _ past: UploadPast,
    _ bases: inout KnownBases
  ) throws {
    let current = evaluator.current
    var isPaid = false
    let hasTouches = past.touchesPermissions(after: start, through: current)
    if hasTouches || hasOthers {
      guard bases.mayEvaluate() else {
        self.init(unknownAt: start)
        return
      }
      isPaid = true
    }
    let touches = past.touches(after: start)
    guard let held, let queries = try? evaluator.queries(held.set, held.scope, at: hasTouches ? start : current) else {
      self.init(at: start, nil, ViewContent(), touches)
      return
    }
    let isWhole = try hasTouches && evaluator.changesRoles(of: held.scope.access, from: start, to: current, touches)
    if !isWhole, queries.dependent.isEmpty {
      self.init(at: start, queries, ViewContent(), touches)
    } else if !isWhole, let known = bases.content(of: held, queries, at: start, past, evaluator.readView.catalog) {
      self.init(at: start, queries, known, touches)
    } else if isPaid || bases.mayEvaluate() {
      let content =
        try isWhole
        ? evaluator.content(held.set, held.scope, isWhole: true, at: start)
        : evaluator.content(queries, held.scope, at: start)
      if !isWhole { bases.keep(content, of: held, queries, at: start) }
      self.init(at: start, queries, content, touches, isWhole: isWhole)
    } else {
      self.init(unknownAt: start)
    }
  }

  private init(
    at start: ServerVersion, _ queries: RealmQueries?, _ content: ViewContent, _ touches: PermissionTouches,
    isWhole: Bool = false, isUnknown: Bool = false
  ) {
    self.start = start
    self.queries = queries
    self.content = content
    self.touches = touches
    self.isWhole = isWhole
    self.isUnknown = isUnknown
  }

  private init(unknownAt start: ServerVersion) {
    self.init(at: start, nil, ViewContent(), PermissionTouches(), isWhole: true, isUnknown: true)
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
    if !existed { return .absent }
    // An entry that the author did not have would grant what others chose.
    return isUnknown && object.className != PermissionClass.permission.rawValue ? .inside : .outside
  }
}
