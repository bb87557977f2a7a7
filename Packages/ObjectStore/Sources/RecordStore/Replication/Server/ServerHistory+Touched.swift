public import ChangesetOT
public import DataModel
import StorageEngine

extension ServerHistory {
  /// The objects that the versions after one touched, for followers that hold the state before.
  ///
  /// - Parameter byteLimit: the most bytes of changesets that are read.
  /// - Returns: nil when everything may have changed: the schema changed, there is more to read, or the history after
  ///   `position` is no longer kept.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the bytes of the changesets.
  public func touchedObjects(
    after position: ServerVersion, through end: ServerVersion, byteLimit: Int
  ) throws -> [ObjectReference: ObjectTouch]? {
    try translatingErrors {
      guard let state = try ServerState(in: file.store.latestSnapshot()) else { throw ServerHistory.unprepared }
      guard position >= state.base, end <= state.current else { return nil }
      guard position < end else { return [:] }
      var touched: [ObjectReference: ObjectTouch] = [:]
      var (next, last) = (Int64(clamping: position.rawValue) + 1, Int64(clamping: end.rawValue))
      var bytes = 0
      while next <= last {
        for entry in try logged(in: next...last, byteLimit: max(byteLimit - bytes, 1)) {
          next += 1
          guard !entry.changeset.isEmpty, !entry.isPrivate else { continue }
          bytes += entry.changeset.count
          guard bytes <= byteLimit else { return nil }
          for instruction in try Changeset(decoding: entry.changeset, origin: entry.author).instructions {
            guard let object = instruction.object else { return nil }
            touched[object, default: ObjectTouch()].add(instruction)
          }
        }
      }
      return touched
    }
  }
}

/// The changes that versions made to one object.
public struct ObjectTouch: Hashable, Sendable {
  /// The fields that were written.
  public private(set) var fields: Set<String> = []
  /// Whether it was erased, also when it was made anew since: links to it are null then.
  public private(set) var isErased = false

  mutating func add(_ instruction: Instruction) {
    if let field = instruction.target?.field { fields.insert(field) }
    if case .eraseObject = instruction { isErased = true }
  }
}
