import ChangesetOT
import DataModel
import StorageEngine

/// The effects of versions on objects, as seen from the view.
extension ViewChanges {
  /// The effect of a version on an object, as seen from the view.
  struct Move {
    var existed: Bool
    var exists: Bool
    var wasIn: Bool
    var isIn: Bool

    /// Whether its instructions lead the client's object from the one state to the other: it stays in the view, or it is
    /// made or erased within it.
    var passes: Bool { wasIn && (isIn || !exists) || !existed && isIn }
    var leaves: Bool { wasIn && !isIn && exists }
    var enters: Bool { !wasIn && isIn && existed }
    var isOutside: Bool { exists && !isIn }
  }

  /// The moves of the objects that instructions touch.
  mutating func moves(
    _ instructions: [Instruction], at version: ServerVersion, in readView: ReadView
  ) throws -> [ObjectReference: Move] {
    var objects: [String: [ObjectReference]] = [:]
    var seen: Set<ObjectReference> = []
    for object in instructions.compactMap(\.object) where seen.insert(object).inserted {
      // Objects that are only written are in no view.
      if readView.catalog[object.className]?.kind == .asymmetric { continue }
      objects[object.className, default: []].append(object)
    }
    var moves: [ObjectReference: Move] = [:]
    for (className, objects) in objects {
      let new = objects.filter { timelines[$0] == nil }
      timelines.merge(try timelines(of: new, className, in: readView)) { _, found in found }
      for object in objects {
        guard let timeline = timelines[object] else { continue }
        let (before, after) = (timeline.place(at: version.before), timeline.place(at: version))
        moves[object] = Move(
          existed: before != .absent, exists: after != .absent, wasIn: before == .inside, isIn: after == .inside)
      }
    }
    return moves
  }

  private func timelines(
    of objects: [ObjectReference], _ className: String, in readView: ReadView
  ) throws -> [ObjectReference: ObjectTimeline] {
    guard depends(className), let move else {
      return try queries.timelines(of: objects, className, past, since: start, in: readView)
    }
    var timelines: [ObjectReference: ObjectTimeline] = [:]
    let layout = readView.catalog[className]
    for object in objects {
      let existsNow = try layout.flatMap { try readView.row(object.key, $0) } != nil
      timelines[object] = move.timeline(
        of: object, past, since: start, existsNow: existsNow, ownCreation: ownCreations[object])
    }
    return timelines
  }
}
