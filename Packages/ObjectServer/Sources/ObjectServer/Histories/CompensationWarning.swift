import ChangesetOT
import SyncProtocol

/// Says with 231 which objects of an upload are set back: each of them is named, a part of them in each message.
enum CompensationWarning {
  /// The most objects that one message names.
  static let objectsPerMessage = 100

  /// The messages, at least one, for objects in their order.
  ///
  /// - Parameters:
  ///   - version: the version that sets the objects back.
  ///   - rejected: the client's last version that has something of them.
  /// - Complexity: O(objects), which the bound of a compensation bounds.
  static func messages(
    _ text: String, version: ServerVersion, rejected: ClientVersion, _ objects: [CompensatingWrite.Rejection]
  ) -> [SessionFailure] {
    stride(from: 0, to: max(1, objects.count), by: objectsPerMessage).map { start in
      var warning = SessionFailure(.compensatingWrite, text)
      warning.details.compensation = CompensatingWrite(
        serverVersion: version, rejectedClientVersion: rejected,
        rejections: Array(objects[start..<min(start + objectsPerMessage, objects.count)]))
      return warning
    }
  }
}
