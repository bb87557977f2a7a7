import ByteCoding
import ChangesetOT
import StorageEngine

/// The owners' epochs of a server's history: each belongs to the versions from one on, up to the next one's. Versions before
/// the first are of epoch 0, and so is a history without the record.
///
///     count, (first version, epoch) …      both ascending
///
/// A history whose owner never changed costs nothing.
struct ServerEpochs {
  private static let recordName = "server epochs"

  private var changes: [(first: ServerVersion, epoch: OwnerEpoch)] = []

  /// - Throws: `StorageError` with code `corrupt` when the record is none.
  init(in reader: any StorageReader) throws {
    guard let bytes = try reader.rootRecord(Self.recordName) else { return }
    var content = ByteReader(bytes)
    do {
      for _ in 0..<(try content.readCount()) {
        changes.append((ServerVersion(try content.readVarint()), OwnerEpoch(try content.readVarint())))
      }
    } catch is ByteDecodingError {
      throw StorageError(.corrupt, "The owners of the realm cannot be read. Restore the file from a backup.")
    }
  }

  /// The epoch of the newest version.
  var latest: OwnerEpoch { changes.last?.epoch ?? .first }

  /// The epoch of a version. O(log *n*) in the changes of owner.
  subscript(version: ServerVersion) -> OwnerEpoch {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].first <= version { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? .first : changes[low - 1].epoch
  }

  /// Begins an epoch with a version, unless it is the latest one already.
  ///
  /// Those that ended at or below the trimmed history are forgotten.
  ///
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` for an epoch that is over.
  static func begin(
    _ epoch: OwnerEpoch, with version: ServerVersion, base: ServerVersion, in transaction: WriteTransaction
  ) throws {
    var epochs = try ServerEpochs(in: transaction)
    guard epoch != epochs.latest else { return }
    guard epoch > epochs.latest else { throw endedEpoch(epoch, latest: epochs.latest) }
    epochs.changes.append((version, epoch))
    let covering = epochs.changes.lastIndex { $0.first.rawValue <= base.rawValue + 1 } ?? 0
    epochs.changes.removeFirst(covering)
    var writer = ByteWriter()
    writer.writeVarint(epochs.changes.count)
    for (first, epoch) in epochs.changes {
      writer.writeVarint(first.rawValue)
      writer.writeVarint(epoch.rawValue)
    }
    try transaction.setRootRecord(recordName, writer.bytes)
  }

  static func endedEpoch(_ epoch: OwnerEpoch, latest: OwnerEpoch) -> RecordStoreError {
    RecordStoreError(
      .incompatibleHistories,
      "Epoch \(epoch.rawValue) of the realm's owner is over: epoch \(latest.rawValue) has written. Become the owner again."
    )
  }
}
