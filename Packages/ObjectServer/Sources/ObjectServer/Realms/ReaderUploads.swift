import ChangesetOT
import struct RecordStore.UndoneUpload
import SyncProtocol

/// What becomes of an upload by a user who may only read.
///
/// It is integrated as nothing: the author's progress goes on, nobody else sees anything of it. What undoes it goes to the
/// author alone, as an ordinary change, with 231, so that no session ends and the author's file holds what the server
/// holds. What declares classes and fields stays in that file, which writes down its schema by itself; here it has no
/// effect.
enum ReaderUploads {
  /// How many objects are named to the author.
  private static let limit = 100

  private static let reason = "no permission to write to this realm: ask its owner for write access"

  /// What the author is told; nil when there was nothing to undo.
  static func warning(of upload: UndoneUpload, in batch: UploadBatch) -> SessionFailure? {
    guard let version = upload.version else { return nil }
    var warning = SessionFailure(.compensatingWrite, "the local changes were undone: " + reason)
    warning.details.compensation = CompensatingWrite(
      serverVersion: version, rejectedClientVersion: batch.entries.last?.cursor.client ?? batch.progress.client,
      rejections: upload.objects.prefix(limit).map { object in
        CompensatingWrite.Rejection(reason: reason, className: object.className, primaryKey: object.key.encodedText)
      })
    return warning
  }

  /// For what cannot be undone: classes and fields that were erased, and more than the limit of a compensation.
  static let refusal = SessionFailure(
    .writeNotAllowed,
    "no permission to write to this realm; the local changes cannot be uploaded: ask its owner for write access")

  /// Whether changesets declare classes and fields at most.
  static func declareOnly(_ batch: UploadBatch) -> Bool {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    return batch.entries.allSatisfy { entry in
      guard let changeset = try? Changeset(decoding: entry.changeset, origin: origin) else { return false }
      return changeset.instructions.allSatisfy { instruction in
        switch instruction {
        case .addTable, .addColumn: true
        default: false
        }
      }
    }
  }
}
