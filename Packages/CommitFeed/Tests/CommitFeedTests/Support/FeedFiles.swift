import ChangesetOT
import DataModel
import Synchronization

@testable import RecordStore

private let names = Atomic<Int>(0)

/// A file in memory under a name of its own.
func memoryFile(
  recordsChangesets: Bool = false, clock: @escaping @Sendable () -> OriginTimestamp = { OriginTimestamp(1) }
) throws -> RealmFile {
  let number = names.wrappingAdd(1, ordering: .relaxed).newValue
  return try RealmFile.open(
    .inMemory(name: "feed \(number)"), options: RealmFile.Options(recordsChangesets: recordsChangesets, clock: clock))
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let milliseconds = Atomic<UInt64>(1_000)

  var now: OriginTimestamp { OriginTimestamp(milliseconds.load(ordering: .relaxed)) }

  func pass(_ duration: Duration) {
    milliseconds.wrappingAdd(UInt64(duration / .milliseconds(1)), ordering: .relaxed)
  }
}

extension RealmFile {
  /// Applies instructions as an application's own transaction with exactly this changeset.
  func commit(_ instructions: [Instruction], at time: OriginTimestamp = OriginTimestamp(1)) throws {
    let changeset = Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: .none))
    try write(isRecorded: false) { session in
      try ChangesetApplier(writer: session.writer).apply(changeset)
      try HistoryRole.stored(in: session.transaction)?.appendLocal(changeset.encoded(), at: time, to: session)
    }
  }
}

/// Tasks with an owner, a list of tags and a link.
enum Tasks {
  static let schema = Schema([
    ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "owner", type: .string), Property(name: "done", type: .bool),
        Property(name: "tags", type: .string, collection: .list),
        Property(name: "next", type: .object, objectClassName: "Task", isOptional: true),
      ])
  ])

  static func task(_ key: Int64) -> ObjectReference { ObjectReference(className: "Task", key: .int(key)) }
}

extension ServerHistory {
  /// Writes a task as the server itself does.
  func write(_ key: Int64, owner: String) throws {
    try file.edit { editor in
      try editor.addClasses(Tasks.schema)
      try editor.create(Tasks.task(key))
      try editor.set(["owner": .value(.string(owner))], of: Tasks.task(key))
    }
  }
}
