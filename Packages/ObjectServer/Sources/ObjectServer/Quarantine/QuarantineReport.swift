import ChangesetOT
import Foundation
import Permissions
import SyncProtocol

/// The report beside the changesets of an upload in quarantine, `report.json`.
struct QuarantineReport: Codable, Sendable {
  struct Entry: Codable, Sendable {
    var file: String
    var bytes: Int
    var clientVersion: UInt64
    var serverVersion: UInt64
    var timestamp: UInt64
    /// The author's file, of an entry that the uploading client did not make itself.
    var origin: UInt64?
  }
  var realm: String
  var user: String
  var clientFile: UInt64
  var refusedAt: String
  var code: Int
  var message: String
  var changesets: [Entry]

  /// The report on an upload.
  init(_ upload: QuarantinedUpload) {
    realm = upload.path.description
    user = upload.user.rawValue
    clientFile = upload.batch.file.rawValue
    refusedAt = upload.time.description
    code = upload.failure.code.rawValue
    message = upload.failure.details.message
    changesets = upload.batch.entries.map { entry in
      Entry(
        file: Self.file(of: entry.cursor.client.rawValue), bytes: entry.changeset.count,
        clientVersion: entry.cursor.client.rawValue, serverVersion: entry.cursor.server.rawValue,
        timestamp: entry.timestamp.rawValue, origin: entry.origin == .none ? nil : entry.origin.rawValue)
    }
  }

  /// The report in the folder of an upload.
  ///
  /// - Throws: errors of reading the file; `DecodingError` for one that is no report.
  init(in folder: String) throws {
    self = try JSONDecoder().decode(
      Self.self, from: Data(contentsOf: URL(fileURLWithPath: folder + "/report.json")))
  }

  func write(to folder: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: URL(fileURLWithPath: folder + "/report.json"))
  }

  /// The file of a changeset beside the report.
  static func file(of clientVersion: UInt64) -> String { "\(clientVersion).changeset" }

  /// The upload, read from the folder.
  ///
  /// - Throws: errors of reading its files.
  func batch(in folder: String) throws -> UploadBatch {
    let entries = try changesets.map { entry in
      UploadEntry(
        cursor: UploadCursor(
          client: ClientVersion(entry.clientVersion), server: ServerVersion(entry.serverVersion)),
        timestamp: OriginTimestamp(entry.timestamp), origin: entry.origin.map { FileIdent($0) } ?? .none,
        changeset: Array(
          try Data(contentsOf: URL(fileURLWithPath: folder + "/" + Self.file(of: entry.clientVersion)))))
    }
    return UploadBatch(
      file: FileIdent(clientFile), progress: entries.last?.cursor ?? UploadCursor(client: .zero, server: .zero),
      lockedServerVersion: .zero, entries: entries)
  }
}
