import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Where the objects of an upload were at its base, as the author's file had them.
extension UploadAdmission {
  /// Looks at the objects of changesets with one base, before the first is applied.
  ///
  /// - Parameters:
  ///   - setBack: the objects and fields that versions after the base put back in the author's file.
  ///   - evaluator: of the states from the base on, or from the bootstrap if that is later.
  ///   - past: the versions since then.
  ///   - isOwn: whether a version is an upload of the author.
  mutating func begin(
    _ changesets: [Changeset], base: ServerVersion, setBack: SetBackParts, _ evaluator: ViewEvaluator,
    _ past: UploadPast, _ present: PresentState, isOwn: (ServerVersion) throws -> Bool
  ) throws {
    (strange, moved, made, foreignEntries, foreignFields) = ([], [], [], [], [])
    sentBefore = try Self.asymmetricObjects(of: changesets, in: present.readView)
    self.setBack = setBack
    touchedBefore.add(touched)
    touched = TouchedObjects()
    let start = max(base, bootstrap)
    let begun = stages.begun(after: start)
    let held = stages.held(at: start)
    sets = [knownSet(held)] + begun.map { knownSet($0) }
    let before = try HeldBefore(held, at: start, hasOthers: !begun.isEmpty, evaluator, past, &bases)
    // A scan over a part of the versions since then may have found other roles than there were at both ends.
    let mayBeSentAnew = try !begun.isEmpty || evaluator.mayVaryRoles(of: access, since: start, before.touches)
    var named = Self.objects(changesets, in: present.readView)
    named.addEntries(of: changesets)
    for (className, objects) in named {
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
          let hasMoved =
            try before.isUnknown
            ? place != .absent || !evaluator.past.touched(object, after: start).isEmpty
            : hasMoved(object, from: place, since: start, evaluator, present, isOwn: isOwn)
          if hasMoved { moved.insert(object) }
        } else {
          let seen = timelines.compactMap { $0[object] }
          place = seen.first?.places.first ?? .absent
          var isSentAnew =
            mayBeSentAnew || evaluator.changesList(of: object, since: start)
            ? flips.contains(object, after: start) : flips.knows(object, after: start)
          // It is not known any more what a scan of then saw of permissions, and sent for that.
          if !isSentAnew, !before.touches.permissions.isEmpty, flips.contains(object, after: start) {
            isSentAnew = try evaluator.past.touched(object, after: start).contains { try !isOwn($0.version) }
          }
          if isSentAnew || hasMoved(seen, since: start) { moved.insert(object) }
        }
        if place == .absent { made.insert(object) }
        if try isForeignEntry(object, place, since: start, evaluator, isOwn: isOwn) {
          foreignEntries.insert(object)
          strange.insert(object)
        }
        // An object of a state that was made before its base is none of its objects, either.
        if place == .outside || place == .inside && base < bootstrap { strange.insert(object) }
      }
    }
  }

  /// Whether an object is a permission object that was not in the view of the author's file at the base, and that others made. The name of
  /// one that the author makes may have been taken by somebody else in advance.
  private func isForeignEntry(
    _ object: ObjectReference, _ place: ObjectTimeline.Place, since base: ServerVersion, _ evaluator: ViewEvaluator,
    isOwn: (ServerVersion) throws -> Bool
  ) throws -> Bool {
    guard access != nil, object.className == PermissionClass.permission.rawValue, place != .inside else { return false }
    if place == .outside { return true }
    let creation = evaluator.past.touched(object, after: base).last { !$0.part.existed }
    return try creation.map { try !isOwn($0.version) } ?? false
  }

  /// The queries of a set that was held.
  private mutating func knownSet(_ stage: ViewStages.Stage?) -> ViewQueries {
    guard let stage else { return ViewQueries(nil, attempt.holders) }
    if let known = knownSets[stage.version] { return known }
    let queries = ViewQueries(stage, attempt.holders)
    knownSets[stage.version] = queries
    return queries
  }

  /// Notes the fields that a changeset links to permission objects of others.
  mutating func noteForeignFields(of changeset: Changeset) {
    for instruction in changeset.instructions {
      guard let entry = instruction.linkedEntry, foreignEntries.contains(entry), let target = instruction.target,
        !strange.contains(target.object)
      else { continue }
      foreignFields.insert(.field(target.object, target.field))
    }
  }

  /// Looks again at where the objects of a changeset are, before it is applied: what earlier changesets did to other objects, to
  /// roles or to lists may have taken them out of the queries, or brought them in.
  mutating func updatePlaces(of changeset: Changeset, _ present: PresentState) throws {
    guard arePlacesOld, present.permissions(of: access) != nil || queries.hasDependents(present) else { return }
    for (className, objects) in Self.objects([changeset], in: present.readView) {
      places.merge(try queries.places(of: objects, className, present)) { _, new in new }
    }
  }

  /// The objects that changesets touch, by class; those that no view holds are left out.
  static func objects(_ changesets: [Changeset], in readView: ReadView) -> [String: [ObjectReference]] {
    var seen: Set<ObjectReference> = []
    var objects: [String: [ObjectReference]] = [:]
    for object in changesets.lazy.flatMap(\.instructions).compactMap(\.object) where seen.insert(object).inserted {
      if readView.catalog[object.className]?.kind == .asymmetric { continue }
      objects[object.className, default: []].append(object)
    }
    return objects
  }
}

extension [String: [ObjectReference]] {
  /// Adds the permission objects that changesets link to and do not touch.
  fileprivate mutating func addEntries(of changesets: [Changeset]) {
    let className = PermissionClass.permission.rawValue
    var seen = Set(self[className] ?? [])
    for entry in changesets.lazy.flatMap(\.instructions).compactMap(\.linkedEntry) where seen.insert(entry).inserted {
      self[className, default: []].append(entry)
    }
  }
}

extension Instruction {
  /// The permission object that it links to.
  var linkedEntry: ObjectReference? {
    let payload: Payload
    switch self {
    case .update(let it): payload = it.payload
    case .arrayInsert(let it): payload = it.payload
    case .setInsert(let it): payload = it.payload
    default: return nil
    }
    guard case .link(let entry) = payload, entry.className == PermissionClass.permission.rawValue else { return nil }
    return entry
  }
}

extension ViewQueries {
  /// Whether objects are held, or not, because of others.
  func hasDependents(_ present: PresentState) -> Bool { queries(present)?.dependent.isEmpty == false }

  func depends(_ className: String, _ present: PresentState) -> Bool {
    queries(present)?.dependent.contains(className) ?? false
  }

  /// Whether some object of a class may be held now.
  func mayHold(_ className: String, _ present: PresentState) -> Bool {
    depends(className, present) || queries(present)?.selections[className] != nil
  }

  /// Where objects of one class were from a version on, by their own values.
  func timelines(
    of objects: [ObjectReference], _ className: String, _ past: PastStates, since base: ServerVersion,
    _ present: PresentState
  ) throws -> [ObjectReference: ObjectTimeline] {
    let queries = try queries(present) ?? RealmQueries(QuerySet(), present.readView)
    return try queries.timelines(of: objects, className, past, since: base, in: present.readView)
  }
}
