import ChangesetOT
import Permissions
import SyncProtocol
import Telemetry

extension RealmSequencer {
  /// Logs that writes of a user were undone, for lack of access or as they lie outside of the user's queries.
  func logUndone(_ warning: SessionFailure, by user: UserId?) {
    metrics.undoneUploads.increment()
    let compensation = warning.details.compensation
    let objects = compensation?.rejections.prefix(10).map { "\($0.className)[\($0.primaryKey)]" } ?? []
    logger.warn(
      "a write that is not allowed was undone",
      [
        "reason": .string(warning.details.message),
        "path": .string(path.description), "user": .string(user?.rawValue ?? ""),
        "version": LogValue(compensation?.serverVersion?.rawValue ?? 0),
        "objects": LogValue(compensation?.rejections.count ?? 0), "first": .string(objects.joined(separator: " ")),
      ])
  }

  /// Keeps an upload that could not be integrated, for inspection after its author was reset. Writes in the queue of the
  /// directory.
  func quarantine(_ batch: UploadBatch, of user: UserId?, _ failure: SessionFailure) {
    let upload = QuarantinedUpload(
      path: path, user: user ?? UserId(""), time: context.scheduler.wallTime, failure: failure, batch: batch)
    let logger = logger
    let fields: LogFields = [
      "path": .string(path.description), "user": .string(upload.user.rawValue),
      "reason": .string(failure.details.message),
    ]
    guard let quarantineStore else { return logger.error("an upload could not be integrated", fields) }
    metrics.quarantined.increment()
    context.executor.submit(to: .directory) {
      do {
        let place = try quarantineStore.put(upload)
        logger.error("an upload could not be integrated and is kept", fields.appending(["place": .string(place)]))
      } catch {
        logger.error(
          "an upload could not be integrated, nor kept", fields.appending(["why": LogValue("\(error)")]))
      }
    }
  }
}
