import ChangesetOT
import DataModel
import StorageEngine

/// Decides which writes of an upload are taken, when their author's file holds a view: those to objects that are in the
/// queries of the upload before or after the write. What is not taken is undone in the author's file.
///
/// An object of which the author's file was told more, or less, than the changes of others since the base of the upload, is
/// set back there to what it holds here, whether or not its writes were taken: the merge in the file was another one.
///
/// The outcome of a write is known only after it was applied. A refusal found then is ``late``: the transaction is to be done
/// again with it known before.
struct UploadAdmission {
  /// A refused object: nothing that the upload does to it from a changeset on is taken.
  struct Refused {
    /// The place of the first refused changeset in the batch.
    var offset: Int
    var write: RefusedWrite
  }

  let queries: ViewQueries
  /// The queries whose objects the author's file is sent.
  let held: ViewQueries
  /// The content of the author's file.
  let stages: ViewStages
  /// The state that the author's file was brought up with.
  let bootstrap: ServerVersion
  private(set) var refused: [ObjectReference: Refused]
  private(set) var late: [ObjectReference: Refused] = [:]
  /// The objects to be set back in the author's file.
  private(set) var touched = TouchedObjects()
  /// Where the objects of the upload are as seen from its queries.
  private var places: [ObjectReference: ObjectTimeline.Place] = [:]
  /// The sets that the author's file may have held since the base of the present run: a bootstrap may have come to nothing.
  private var sets: [ViewQueries] = []
  /// Objects of the present run that others hold outside of the author's view, and those that went into it or out of it.
  private var strange: Set<ObjectReference> = []
  private var moved: Set<ObjectReference> = []

  /// - Parameter refused: what earlier attempts found.
  init(
    _ set: QuerySet, _ stages: ViewStages, bootstrap: ServerVersion, refused: [ObjectReference: Refused]
  ) {
    queries = ViewQueries(set)
    held = ViewQueries(stages.current ?? QuerySet())
    self.stages = stages
    self.bootstrap = bootstrap
    self.refused = refused
  }

  // MARK: Before

  /// Looks at the objects of changesets with one base, before the first is applied.
  ///
  /// - Parameters:
  ///   - past: the states from the base on.
  ///   - readView: the present state.
  mutating func begin(
    _ changesets: [Changeset], base: ServerVersion, _ past: PastStates, _ readView: ReadView
  ) throws {
    (strange, moved) = ([], [])
    let start = max(base, bootstrap)
    sets = [ViewQueries(stages.held(at: start) ?? QuerySet())] + stages.begun(after: start).map { ViewQueries($0.set) }
    for (className, objects) in Self.objects(changesets, in: readView) {
      let new = objects.filter { places[$0] == nil }
      places.merge(try queries.places(of: new, className, readView)) { _, new in new }
      let timelines = try sets.map { try $0.timelines(of: objects, className, past, since: start, readView) }
      for object in objects {
        let seen = timelines.compactMap { $0[object] }
        // An object of a state that was made before its base is none of its objects, either.
        let place = seen.first?.places.first ?? .absent
        if place == .outside || place == .inside && base < bootstrap { strange.insert(object) }
        if hasMoved(seen, since: start) { moved.insert(object) }
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
        after != .absent && after != before && (before != .absent || after == .outside)
      }
    }
  }

  /// The part of a changeset that may be merged: what it does to objects that its author's file does not know is no change of
  /// theirs.
  mutating func known(_ changeset: Changeset, at offset: Int, _ version: ClientVersion) -> Changeset {
    guard !strange.isEmpty else { return changeset }
    for object in changeset.instructions.compactMap(\.object) where strange.contains(object) {
      refuse(object, at: offset, version, "it is an object outside of the query view")
    }
    var known = changeset
    known.instructions.removeAll { $0.object.map(strange.contains) ?? false }
    return known
  }

  /// The part of a changeset that may be applied.
  ///
  /// - Parameters:
  ///   - changeset: as it was merged.
  ///   - original: as it was made.
  ///   - offset: its place in the batch.
  mutating func admitted(_ changeset: Changeset, from original: Changeset, at offset: Int) throws -> Changeset {
    var restored = Changeset(origin: original.origin)
    restored.instructions = original.instructions.filter { $0.object.map { isRefused($0, at: offset) } ?? false }
    try touched.add(restored)
    for object in original.instructions.compactMap(\.object) where moved.contains(object) || strange.contains(object) {
      touched.addWhole(object)
    }
    var admitted = changeset
    admitted.instructions.removeAll { $0.object.map { isRefused($0, at: offset) } ?? false }
    return admitted
  }

  private func isRefused(_ object: ObjectReference, at offset: Int) -> Bool {
    refused[object].map { $0.offset <= offset } ?? false
  }

  private mutating func refuse(_ object: ObjectReference, at offset: Int, _ version: ClientVersion, _ reason: String) {
    guard !isRefused(object, at: offset) else { return }
    let write = RefusedWrite(object: object, clientVersion: version, reason: "write not allowed: \(reason)")
    refused[object] = Refused(offset: offset, write: write)
  }

  // MARK: After

  /// Looks at the objects of a changeset that was applied.
  mutating func judge(_ changeset: Changeset, at offset: Int, _ version: ClientVersion, _ readView: ReadView) throws {
    for (className, objects) in Self.objects([changeset], in: readView) {
      let after = try queries.places(of: objects, className, readView)
      for object in objects {
        let place = after[object] ?? .absent
        if place == .outside, places[object] != .inside {
          let reason =
            places[object] == .outside
            ? "it is an object outside of the query view" : "the new object is outside of the query view"
          refuse(object, at: offset, version, reason)
          late[object] = refused[object]
        }
        places[object] = place
        // The next changeset of the run does not know that the author's file is told to erase it.
        if place != .absent, try sets.contains(where: { try !$0.selects(object, readView) }) { moved.insert(object) }
      }
    }
  }
}
