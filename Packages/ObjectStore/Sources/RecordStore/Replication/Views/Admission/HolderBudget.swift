import ChangesetOT

/// The objects that may be looked at to find those through which the objects of one upload are held. When they are used up, an
/// object counts as held for what may be written, and as one that may have left or come for what its author's file is told.
final class HolderBudget {
  /// Objects that every upload may have looked at.
  static let base = 200_000
  /// Objects for each byte of its changesets.
  static let perByte = 16

  private(set) var left: Int

  /// A number of objects.
  init(_ left: Int) { self.left = left }

  /// As many as a batch may have looked at.
  init(_ batch: UploadBatch) {
    let bytes = batch.entries.reduce(0) { $0 + $1.changeset.count }
    let (product, overflows) = bytes.multipliedReportingOverflow(by: Self.perByte)
    left = overflows ? .max : Self.base + min(product, .max - Self.base)
  }

  var isUsedUp: Bool { left <= 0 }

  /// Counts objects that were looked at.
  func take(_ count: Int) { left = max(0, left - count) }
}
