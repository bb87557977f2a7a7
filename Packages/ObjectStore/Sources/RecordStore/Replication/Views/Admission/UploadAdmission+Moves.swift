import ChangesetOT
import DataModel

/// Whether an author's file was told anything of an object since the base of an upload but the changes of others as they are.
extension UploadAdmission {
  /// The same for an object that decides alone whether it is held.
  ///
  /// A set counts up to the version at which the next one took its place: an object that the author makes behind a change of
  /// queries is not outside of the former ones.
  ///
  /// - Parameter timelines: of the object, as seen from each of ``sets``.
  func hasMoved(_ timelines: [ObjectTimeline], since base: ServerVersion) -> Bool {
    let begun = stages.begun(after: base)
    for (stage, (old, new)) in zip(begun, zip(timelines, timelines.dropFirst())) {
      if (old.place(at: stage.version) == .inside) != (new.place(at: stage.version) == .inside) { return true }
    }
    return zip(timelines, begun.map { $0.version as ServerVersion? } + [nil]).contains { timeline, end in
      let places = timeline.places(until: end)
      return zip(places, places.dropFirst()).contains { before, after in
        switch (before, after) {
        // An object that was made and erased in one version is in no view, and yet meets the writes of the author.
        case (.absent, .absent), (.absent, .outside), (.outside, .inside), (.inside, .outside): true
        case (.absent, .inside), (.outside, .outside), (.inside, .inside), (_, .absent): false
        }
      }
    }
  }

  /// The same for an object about which others have a say.
  ///
  /// An object that the file has had all the time, because it was held at the base or the author made it since, did not move
  /// when every set of the file held it where the next one took its place.
  ///
  /// - Parameters:
  ///   - place: at the base.
  ///   - isOwn: whether a version is an upload of the author.
  /// - Complexity: O(*n*) in the content of the sets that began since the base, unless that is remembered.
  func hasMoved(
    _ object: ObjectReference, from place: ObjectTimeline.Place, since base: ServerVersion, _ evaluator: ViewEvaluator,
    _ present: PresentState, isOwn: (ServerVersion) throws -> Bool
  ) throws -> Bool {
    let touched = evaluator.past.touched(object, after: base)
    // Nobody knows it but its author.
    if place == .absent, touched.isEmpty { return false }
    guard base < evaluator.current else { return false }
    if flips.contains(object, after: base) { return true }
    var known = base
    var changes = touched
    if place == .absent, let creation = changes.popFirst() {
      guard try !creation.part.existed && isOwn(creation.version) else { return true }
      known = creation.version
    }
    // Made by others meanwhile, or made anew.
    if changes.contains(where: { !$0.part.existed }) { return true }
    let begun = stages.begun(after: base)
    if place == .outside { return !begun.isEmpty }
    guard try held.selects(object, present) else { return true }
    if try leavesByItself(object, since: base, evaluator, present) { return true }
    var old = stages.held(at: base)
    for stage in begun {
      defer { old = stage }
      if stage.version < known { continue }
      for set in [old, stage] {
        if try !holds(set, object, at: stage.version, since: base, evaluator) { return true }
      }
    }
    return false
  }

  /// Whether one of the sets with queries for the class of an object, which decides alone there, was without it.
  private func leavesByItself(
    _ object: ObjectReference, since base: ServerVersion, _ evaluator: ViewEvaluator, _ present: PresentState
  ) throws -> Bool {
    let className = object.className
    return try sets.contains { set in
      guard set.mayHold(className, present), !set.depends(className, present) else { return false }
      let timelines = try set.timelines(of: [object], className, evaluator.past, since: base, present)
      return timelines[object]?.places.contains(.outside) ?? true
    }
  }

  /// Whether a set held an object at a version.
  private func holds(
    _ stage: ViewStages.Stage?, _ object: ObjectReference, at version: ServerVersion, since base: ServerVersion,
    _ evaluator: ViewEvaluator
  ) throws -> Bool {
    guard let stage, let queries = try? evaluator.queries(stage.set, stage.scope, at: version) else { return false }
    if queries.dependent.contains(object.className) {
      return try evaluator.content(stage.set, stage.scope, isWhole: false, at: version).contains(object)
    }
    let timelines = try queries.timelines(
      of: [object], object.className, evaluator.past, since: base, in: evaluator.readView)
    return timelines[object]?.place(at: version) == .inside
  }
}
