import Permissions
import SyncProtocol
import Telemetry

extension RealmSequencer {
  /// Puts an upload aside that could not be integrated, so that it can be looked at when its author has long been reset.
  func quarantine(_ batch: UploadBatch, of user: UserId?, _ failure: SessionFailure) {
    let upload = QuarantinedUpload(
      path: path, user: user ?? UserId(""), time: desk.scheduler.wallTime, failure: failure, batch: batch)
    let logger = logger
    let fields: LogFields = [
      "path": .string(path.description), "user": .string(upload.user.rawValue),
      "reason": .string(failure.details.message),
    ]
    guard let quarantinePlace else { return logger.error("an upload could not be integrated", fields) }
    metrics.quarantined.increment()
    desk.workers.submit(.directory) {
      do {
        let place = try quarantinePlace.put(upload)
        logger.error("an upload could not be integrated and is kept", fields.appending(["place": .string(place)]))
      } catch {
        logger.error(
          "an upload could not be integrated, nor kept", fields.appending(["why": LogValue("\(error)")]))
      }
    }
  }
}
