import ChangesetOT
import struct RecordStore.UndoneUpload
import SyncProtocol

/// Tells the author of an upload that writes to objects outside of its queries were undone.
///
/// The rest of the upload is integrated. The author alone gets the changes that set these objects back, with the warning
/// 231; no session ends.
enum OutsideWriteWarning {
  /// The most objects that a warning names.
  private static let maximumNamedObjects = 100

  /// The warning; nil when nothing was undone.
  static func warning(of upload: UndoneUpload) -> SessionFailure? {
    guard let version = upload.version, let last = upload.refusals.map(\.clientVersion).max() else { return nil }
    var warning = SessionFailure(
      .compensatingWrite, "writes to objects that no subscription matches were undone; subscribe to them first")
    warning.details.compensation = CompensatingWrite(
      serverVersion: version, rejectedClientVersion: last,
      rejections: upload.refusals.prefix(maximumNamedObjects).map { refusal in
        CompensatingWrite.Rejection(
          reason: refusal.reason, className: refusal.object.className, primaryKey: refusal.object.key.encodedText)
      })
    return warning
  }
}
