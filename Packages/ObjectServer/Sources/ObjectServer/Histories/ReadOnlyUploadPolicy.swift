import ChangesetOT
import struct RecordStore.UndoneUpload
import SyncProtocol

/// Decides about uploads of users without write access.
///
/// Such an upload is integrated without effect: the author's progress goes on, other clients see nothing of it. The author
/// alone gets the changes that undo it, with the warning 231, so no session ends and the author's file equals the server's.
/// Declared classes and fields stay in that file, which stores its schema itself; on the server they have no effect.
package enum ReadOnlyUploadPolicy {
  private static func reason(_ rule: String) -> String {
    "no permission to write to this realm"
      + (rule.isEmpty ? ": ask its owner for write access" : ", whose user has \(rule); ask its owner for write access")
  }

  /// The warnings for the author; none when the upload changed nothing.
  static func warnings(of upload: UndoneUpload) -> [SessionFailure] {
    guard let version = upload.version else { return [] }
    let reason = reason(upload.accessRule)
    return CompensationWarning.messages(
      "the local changes were undone: " + reason, version: version, rejected: upload.clientVersion,
      upload.objects.map { object in
        CompensatingWrite.Rejection(reason: reason, className: object.className, primaryKey: object.key.encodedText)
      })
  }

  /// The refusal of uploads that cannot be undone: erased classes and fields, and more than a compensation may hold.
  ///
  /// - Parameters:
  ///   - rule: the access that the user has, with its rule; empty when it is not known.
  ///   - cause: the reason for which the upload cannot be undone; empty when it is not known.
  package static func refusal(rule: String = "", cause: String = "") -> SessionFailure {
    let lack = "the local changes cannot be uploaded, nor undone" + (cause.isEmpty ? "" : " (\(cause))")
    return SessionFailure(.writeNotAllowed, "\(reason(rule)); \(lack)")
  }

  /// Whether an upload consists of declarations of classes and fields only, or of nothing.
  ///
  /// - Complexity: O(bytes of the upload).
  package static func isSchemaOnly(_ batch: UploadBatch) -> Bool {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    return batch.entries.allSatisfy { entry in
      guard let changeset = try? Changeset(decoding: entry.changeset, origin: origin) else { return false }
      return changeset.instructions.allSatisfy(declaresSchema)
    }
  }

  private static func declaresSchema(_ instruction: Instruction) -> Bool {
    switch instruction {
    case .addTable, .addColumn: true
    case .eraseTable, .createObject, .eraseObject, .update, .addInteger, .eraseColumn, .arrayInsert, .arrayMove,
      .arrayErase, .clear, .setInsert, .setErase:
      false
    }
  }
}
