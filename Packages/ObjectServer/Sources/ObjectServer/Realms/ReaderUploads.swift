import ChangesetOT
import Permissions
import SyncProtocol

/// What becomes of an upload by a user who may only read.
///
/// A client that opens a realm writes down its schema by itself, before its user did anything. Refusing that would throw every
/// reader into a client reset. So what only declares classes and fields is accepted and left without effect; anything that
/// would change data is refused.
enum ReaderUploads {
  /// The batch with its declarations emptied, or nil when it holds more than declarations.
  static func harmless(_ batch: UploadBatch) -> UploadBatch? {
    guard batch.entries.allSatisfy({ declaresOnly($0.changeset) }) else { return nil }
    var harmless = batch
    for index in harmless.entries.indices { harmless.entries[index].changeset = [] }
    return harmless
  }

  private static func declaresOnly(_ bytes: [UInt8]) -> Bool {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    guard let changeset = try? Changeset(decoding: bytes, origin: origin) else { return false }
    return changeset.instructions.allSatisfy { instruction in
      switch instruction {
      case .addTable, .addColumn: true
      default: false
      }
    }
  }

  static let refusal = SessionFailure(
    .writeNotAllowed,
    "no permission to write to this realm; the local changes cannot be uploaded: ask its owner for write access")
}
