import ChangesetOT
import struct RecordStore.UndoneUpload
import SyncProtocol

/// Tells the author of an upload that some of its writes were undone: those to objects outside of its queries, and those that
/// the roles of the realm do not allow.
///
/// The rest of the upload is integrated. The author alone gets the changes that set these objects back, with the warning
/// 231; no session ends.
enum OutsideWriteWarning {
  /// The most objects that a warning names.
  private static let maximumNamedObjects = 100

  /// The warning; nil when nothing was undone.
  static func warning(of upload: UndoneUpload) -> SessionFailure? {
    guard let version = upload.version, let last = upload.refusals.map(\.clientVersion).max() else { return nil }
    let reasons = Set(upload.refusals.map(\.reason))
    let sum = reasons.count == 1 ? reasons.joined() : "see the reasons of the objects"
    var warning = SessionFailure(.compensatingWrite, "writes that are not allowed were undone: \(sum)")
    warning.details.compensation = CompensatingWrite(
      serverVersion: version, rejectedClientVersion: last,
      rejections: upload.refusals.prefix(maximumNamedObjects).map { refusal in
        CompensatingWrite.Rejection(
          reason: refusal.reason, className: refusal.object.className, primaryKey: refusal.object.key.encodedText)
      })
    return warning
  }
}
