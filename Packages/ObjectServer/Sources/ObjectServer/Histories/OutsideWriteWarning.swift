import ChangesetOT
import struct RecordStore.UndoneUpload
import SyncProtocol

/// Tells the author of an upload that some of its writes were undone: those to objects outside of its queries, and those that
/// the roles of the realm do not allow.
///
/// The rest of the upload is integrated. The author alone gets the changes that set these objects back, with the warning
/// 231; no session ends.
enum OutsideWriteWarning {
  /// The warnings; none when nothing was undone.
  static func warnings(of upload: UndoneUpload) -> [SessionFailure] {
    guard let version = upload.version, let last = upload.refusals.map(\.clientVersion).max() else { return [] }
    let reasons = Set(upload.refusals.map(\.reason))
    let sum = reasons.count == 1 ? reasons.joined() : "see the reasons of the objects"
    return CompensationWarning.messages(
      "writes that are not allowed were undone: \(sum)", version: version, rejected: last,
      upload.refusals.map { refusal in
        CompensatingWrite.Rejection(
          reason: refusal.reason, className: refusal.object.className, primaryKey: refusal.object.key.encodedText)
      })
  }
}
