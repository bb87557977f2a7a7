import ChangesetOT
import Foundation
import Synchronization

@testable import ObjectStore
@testable import RecordStore

private let names = Atomic<Int>(0)

/// A file in memory under a name of its own.
func memoryFile(recordsChangesets: Bool = false, clock: UInt64 = 1) throws -> RealmFile {
  let number = names.wrappingAdd(1, ordering: .relaxed).newValue
  return try RealmFile.open(
    .inMemory(name: "test \(number)"),
    options: RealmFile.Options(recordsChangesets: recordsChangesets, clock: { OriginTimestamp(clock) }))
}

extension RealmFile {
  /// Applies instructions as an application's own transaction with exactly this changeset.
  ///
  /// - Parameter isEncoded: whether they are applied while they are decoded.
  func commit(
    _ instructions: [Instruction], at time: OriginTimestamp = OriginTimestamp(1), isEncoded: Bool = false
  ) throws {
    let changeset = Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: .none))
    try write(isRecorded: false) { session in
      let applier = ChangesetApplier(writer: session.writer)
      if isEncoded {
        var decoder = changesetDecoder.withLock { $0 }
        try applier.apply(changeset.encoded(strings: .beforeFirstUse)[...], with: &decoder, at: 0)
        changesetDecoder.withLock { $0 = decoder }
      } else {
        try applier.apply(changeset)
      }
      try HistoryRole.stored(in: session.transaction)?.appendLocal(changeset.encoded(), at: time, to: session)
    }
  }
}
