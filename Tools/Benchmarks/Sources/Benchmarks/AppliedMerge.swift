import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Foundation
import RecordStore
import TestKit

/// A server's file in memory with one author's offline history integrated, and the other author's history as a batch.
/// Integrating the batch rebases it over the first history, applies it to the state and stores its reciprocal forms.
struct AppliedMerge {
  private let history: ServerHistory
  private let batch: UploadBatch

  init(_ work: MergeWorkload, on base: [Instruction]) throws {
    var random = SeededGenerator(seed: 1)
    let history = try ServerHistory(
      try RealmFile.open(.inMemory(name: "merge \(random.next()) \(UUID())")), random: &random)
    var authors: [FileIdent] = []
    for _ in 0..<3 { authors.append(try history.allocateClientFile(random: &random).ident) }
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: authors[0])
    let state = Self.batch([Changeset(instructions: base, origin: origin)], from: authors[0], base: .zero)
    try Self.integrate(state, into: history)
    try Self.integrate(Self.batch(work.local, from: authors[1], base: ServerVersion(1)), into: history)
    self.history = history
    batch = Self.batch(work.incoming, from: authors[2], base: ServerVersion(1))
  }

  /// Integrates the second history.
  func run() throws { try Self.integrate(batch, into: history) }

  private static func batch(_ changesets: [Changeset], from file: FileIdent, base: ServerVersion) -> UploadBatch {
    let entries = changesets.enumerated().map { number, changeset in
      UploadEntry(
        cursor: UploadCursor(client: ClientVersion(UInt64(number) + 2), server: base),
        timestamp: changeset.origin.timestamp, changeset: changeset.encoded())
    }
    let last = UploadCursor(client: ClientVersion(UInt64(changesets.count) + 1), server: base)
    return UploadBatch(file: file, progress: last, lockedServerVersion: .zero, entries: entries)
  }

  private static func integrate(_ batch: UploadBatch, into history: ServerHistory) throws {
    for case .refused(let refusal) in try history.integrate([batch]) { throw refusal }
  }
}
