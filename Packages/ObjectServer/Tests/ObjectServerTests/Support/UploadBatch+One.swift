import ChangesetOT
import SyncProtocol

extension UploadBatch {
  /// One changeset that a file uploads as its version `version`, made on nothing.
  init(_ changeset: [UInt8], from file: FileIdent, version: UInt64, origin: FileIdent = .none) {
    let cursor = UploadCursor(client: ClientVersion(version), server: .zero)
    let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: origin, changeset: changeset)
    self.init(file: file, progress: cursor, lockedServerVersion: .zero, entries: [entry])
  }
}
