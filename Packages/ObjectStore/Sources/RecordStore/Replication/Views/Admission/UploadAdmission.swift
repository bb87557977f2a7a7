import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Decides which writes of an upload are taken, when their author's file holds a view: those to objects that are in the
/// queries of the upload before or after the write, and that the author's roles allow. What is not taken is undone in the
/// author's file.
///
/// An object of which the author's file was told more, or less, than the changes of others since the base of the upload, is
/// set back there to what it holds here, whether or not its writes were taken: the merge in the file was another one.
///
/// The outcome of a write is known only after it was applied. A refusal found then is ``late``: the transaction is to be done
/// again with it known before.
struct UploadAdmission {
  let queries: ViewQueries
  /// The queries whose objects the author's file is sent.
  let held: ViewQueries
  /// The content of the author's file.
  let stages: ViewStages
  /// The state that the author's file was brought up with.
  let bootstrap: ServerVersion
  private let access: ViewAccess?
  /// The objects that the author's file was sent beside the changes of others.
  private let flips: ViewFlips?
  var refused: [RefusedPart: Refused]
  private(set) var late: [RefusedPart: Refused] = [:]
  /// The objects to be set back in the author's file.
  var touched = TouchedObjects()
  /// Where the objects of the upload are as seen from its queries.
  var places: [ObjectReference: ObjectTimeline.Place] = [:]
  /// The sets that the author's file may have held since the base of the present run: a bootstrap may have come to nothing.
  private var sets: [ViewQueries] = []
  /// Objects of the present run that others hold outside of the author's view, and those that went into it or out of it.
  private var strange: Set<ObjectReference> = []
  private var moved: Set<ObjectReference> = []
  /// The objects and fields that versions after the base of the present run set back in the author's file: the collections there
  /// were other ones.
  private var setBack: Set<RefusedPart> = []
  /// Objects that were not there at the base of the present run.
  private var made: Set<ObjectReference> = []
  /// The judge of the changeset that is being applied.
  private var judge: WriteJudge?
  /// Whether changesets behind one with a late refusal that may concern them are left to the next attempt.
  private let isExact: Bool
  /// The first changeset with a late refusal that may concern others.
  private var tainted = Int.max

  /// - Parameters:
  ///   - refused: what earlier attempts found.
  ///   - isExact: whether what these found too late never counts against later changesets; else there are few attempts.
  init(
    _ set: QuerySet, _ access: ViewAccess?, _ stages: ViewStages, bootstrap: ServerVersion, flips: ViewFlips?,
    refused: [RefusedPart: Refused], isExact: Bool
  ) {
    self.isExact = isExact
    queries = ViewQueries(set, access)
    held = ViewQueries(stages.current)
    self.access = access
    self.stages = stages
    self.bootstrap = bootstrap
    self.flips = flips
    self.refused = refused
  }

  // MARK: Before

  /// Looks at the objects of changesets with one base, before the first is applied.
  ///
  /// - Parameters:
  ///   - setBack: the objects and fields that versions after the base put back in the author's file.
  ///   - evaluator: of the states from the base on, or from the bootstrap if that is later.
  mutating func begin(
    _ changesets: [Changeset], base: ServerVersion, setBack: Set<RefusedPart>, _ evaluator: ViewEvaluator,
    _ touches: PermissionTouches,
    _ present: PresentState
  ) throws {
    (strange, moved, made) = ([], [], [])
    self.setBack = setBack
    let start = max(base, bootstrap)
    let begun = stages.begun(after: start)
    let held = stages.held(at: start)
    sets = [ViewQueries(held)] + begun.map { ViewQueries($0) }
    let before = try HeldBefore(held, at: start, evaluator, touches)
    for (className, objects) in Self.objects(changesets, in: present.readView) {
      let new = objects.filter { places[$0] == nil }
      places.merge(try queries.places(of: new, className, present)) { _, new in new }
      let isDependent = before.depends(className) || sets.contains { $0.depends(className, present) }
      let timelines =
        try isDependent
        ? []
        : sets.map { set in
          try set.timelines(of: objects, className, evaluator.past, since: start, present)
        }
      for object in objects {
        let place: ObjectTimeline.Place
        if isDependent {
          place = try before.place(of: object, evaluator)
          let isHeld = try self.held.selects(object, present)
          if before.hasMoved(object, from: place, isHeld: isHeld, evaluator, flips) || !begun.isEmpty {
            moved.insert(object)
          }
        } else {
          let seen = timelines.compactMap { $0[object] }
          place = seen.first?.places.first ?? .absent
          if hasMoved(seen, since: start) { moved.insert(object) }
        }
        if place == .absent { made.insert(object) }
        // An object of a state that was made before its base is none of its objects, either.
        if place == .outside || place == .inside && base < bootstrap { strange.insert(object) }
      }
    }
  }

  /// The objects that changesets touch, by class; those that no view holds are left out.
  private static func objects(_ changesets: [Changeset], in readView: ReadView) -> [String: [ObjectReference]] {
    var seen: Set<ObjectReference> = []
    var objects: [String: [ObjectReference]] = [:]
    for object in changesets.lazy.flatMap(\.instructions).compactMap(\.object) where seen.insert(object).inserted {
      if readView.catalog[object.className]?.kind == .asymmetric { continue }
      objects[object.className, default: []].append(object)
    }
    return objects
  }

  /// Whether the author's file was told anything of an object but the changes of others as they are.
  ///
  /// - Parameter timelines: of the object, as seen from each of ``sets``.
  private func hasMoved(_ timelines: [ObjectTimeline], since base: ServerVersion) -> Bool {
    for (stage, (old, new)) in zip(stages.begun(after: base), zip(timelines, timelines.dropFirst())) {
      if (old.place(at: stage.version) == .inside) != (new.place(at: stage.version) == .inside) { return true }
    }
    return timelines.contains { timeline in
      zip(timeline.places, timeline.places.dropFirst()).contains { before, after in
        switch (before, after) {
        // An object that was made and erased in one version is in no view, and yet meets the writes of the author.
        case (.absent, .absent), (.absent, .outside), (.outside, .inside), (.inside, .outside): true
        case (.absent, .inside), (.outside, .outside), (.inside, .inside), (_, .absent): false
        }
      }
    }
  }

  /// The part of a changeset that may be merged: what it does to objects that its author's file does not know is no change of
  /// theirs, and what it does to a collection that was another one there has no place in this one.
  mutating func known(_ changeset: Changeset, at offset: Int, _ version: ClientVersion) -> Changeset {
    guard !strange.isEmpty || !setBack.isEmpty else { return changeset }
    var known = changeset
    known.instructions.removeAll { instruction in
      guard let object = instruction.object else { return false }
      if strange.contains(object) {
        refuse(.object(object), of: object, at: offset, version, "it is an object outside of the query view")
        return true
      }
      guard let target = instruction.target, instruction.changesPlaces else { return false }
      let field = RefusedPart.field(object, target.field)
      guard setBack.contains(field) || setBack.contains(.object(object)) else { return false }
      refuse(field, of: object, at: offset, version, "its \(target.field) is being set back after another write")
      return true
    }
    return known
  }

  /// The part of a changeset that may be applied.
  ///
  /// - Parameters:
  ///   - changeset: as it was merged.
  ///   - original: as it was made.
  ///   - offset: its place in the batch.
  mutating func admitted(
    _ changeset: Changeset, from original: Changeset, at offset: Int, _ version: ClientVersion, _ present: PresentState
  ) throws -> Changeset {
    judge = nil
    if let permissions = present.permissions(of: access), !permissions.user.isUnbounded {
      var judge = WriteJudge(
        permissions.user, permissions.table, offset: offset, version: version, present.readView)
      try judge.judge(changeset, known: refused)
      refused.merge(judge.refused)
      self.judge = judge
    }
    let catalog = present.readView.catalog
    refuseMissingSchema(changeset, at: offset, version, catalog)
    for instruction in original.instructions where instruction.changesPlaces {
      keepRefusing(instruction, at: offset, catalog)
    }
    var restored = Changeset(origin: original.origin)
    restored.instructions = original.instructions.filter { isRefused($0, at: offset, catalog) }
    try touched.add(restored)
    // Of classes that were refused the realm knows nothing.
    touched.noteMerged(restored)
    for object in original.instructions.compactMap(\.object) where moved.contains(object) || strange.contains(object) {
      touched.addWhole(object)
    }
    var admitted = changeset
    if !refused.isEmpty { admitted.instructions.removeAll { isRefused($0, at: offset, catalog) } }
    leaveOutAbsent(from: &admitted)
    return admitted
  }

  private mutating func refuse(
    _ part: RefusedPart, of object: ObjectReference, at offset: Int, _ version: ClientVersion, _ reason: String
  ) {
    guard refused[part].map({ $0.offset > offset }) ?? true else { return }
    let write = RefusedWrite(object: object, clientVersion: version, reason: "write not allowed: \(reason)")
    refused[part] = Refused(offset: offset, write: write)
  }

  // MARK: After

  /// Looks at the objects of a changeset that was applied.
  mutating func judge(_ changeset: Changeset, at offset: Int, _ version: ClientVersion, _ present: PresentState) throws
  {
    if isExact, tainted < offset { return }
    if let found = try judge?.judgeOutcome(in: present.readView), !found.isEmpty {
      refused.merge(found)
      late.merge(found)
      tainted = min(tainted, offset)
    }
    for (className, objects) in Self.objects([changeset], in: present.readView) {
      // Nobody subscribes to the classes of permissions; roles decide about them.
      let isFree = access?.followsLinks == true && PermissionClass(rawValue: className) != nil
      let after = try queries.places(of: objects, className, present)
      for object in objects {
        let place = after[object] ?? .absent
        if place == .outside, places[object] != .inside, !isFree {
          let reason =
            places[object] == .outside
            ? "it is an object outside of the query view" : "the new object is outside of the query view"
          refuse(.object(object), of: object, at: offset, version, reason)
          late[.object(object)] = refused[.object(object)]
          if queries.hasDependents(present) || PermissionClass(rawValue: className) != nil {
            tainted = min(tainted, offset)
          }
        }
        places[object] = place
        // Seen from both ends of a scan, an object that came and went with links was never in the view.
        if place == .outside, made.contains(object) { touched.addWhole(object) }
        // The next changeset of the run does not know that the author's file is told to erase it.
        if place != .absent, try sets.contains(where: { try !$0.selects(object, present) }) { moved.insert(object) }
      }
    }
  }
}

extension ViewQueries {
  fileprivate func hasDependents(_ present: PresentState) -> Bool { queries(present)?.dependent.isEmpty == false }

  fileprivate func depends(_ className: String, _ present: PresentState) -> Bool {
    queries(present)?.dependent.contains(className) ?? false
  }

  /// Where objects of one class were from a version on, by their own values.
  fileprivate func timelines(
    of objects: [ObjectReference], _ className: String, _ past: PastStates, since base: ServerVersion,
    _ present: PresentState
  ) throws -> [ObjectReference: ObjectTimeline] {
    let queries = try queries(present) ?? RealmQueries(QuerySet(), present.readView)
    return try queries.timelines(of: objects, className, past, since: base, in: present.readView)
  }
}
