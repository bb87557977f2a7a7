import ChangesetOT
import Foundation
public import Permissions
public import SyncProtocol
public import Telemetry

/// An upload that could not be integrated, with its circumstances.
public struct QuarantinedUpload: Sendable {
  /// The realm of the upload.
  public var path: Permissions.RealmPath
  /// The author.
  public var user: UserId
  /// The time of the refusal.
  public var time: WallTime
  /// The error that was sent to the client.
  public var failure: SessionFailure
  /// The changesets with their versions.
  public var batch: UploadBatch
}

/// Keeps uploads that could not be integrated, for inspection.
public protocol Quarantine: Sendable {
  /// Keeps an upload. Blocks; called on the executor.
  ///
  /// - Returns: the place of the upload, such as a path.
  /// - Throws: when the upload cannot be kept; the reason is logged.
  func put(_ upload: QuarantinedUpload) throws -> String
}

/// A quarantine in a folder: one folder for each upload, with a report and the bytes of each changeset.
///
/// ```text
/// quarantine/2026-11-20T22-40-01.123Z-7/
///   report.json
///   2.changeset      client version 2
/// ```
public struct FolderQuarantine: Quarantine {
  /// The most uploads that are kept, so that no client can fill the disk.
  public static let maximumUploads = 1_000

  private let folder: String

  /// A quarantine below `folder`, which is made when needed.
  public init(_ folder: String) { self.folder = folder }

  private struct Report: Encodable {
    struct Entry: Encodable {
      var file: String
      var bytes: Int
      var clientVersion: UInt64
      var serverVersion: UInt64
      var timestamp: UInt64
    }
    var realm: String
    var user: String
    var clientFile: UInt64
    var refusedAt: String
    var code: Int
    var message: String
    var changesets: [Entry]
  }

  /// Writes the upload to a folder of its own.
  ///
  /// - Throws: ``ServerError`` when the quarantine is full or its folder cannot be made; the errors of writing files.
  public func put(_ upload: QuarantinedUpload) throws -> String {
    try PrivateFolder.make(folder)
    let present = try FileManager.default.contentsOfDirectory(atPath: folder).count
    guard present < Self.maximumUploads else {
      throw ServerError(
        .dataDirectoryUnusable, "the quarantine \(folder) is full",
        remedy: "look at what is in it, then remove it")
    }
    let name = upload.time.description.replacingOccurrences(of: ":", with: "-") + "-\(upload.batch.file.rawValue)"
    var path = folder + "/" + name
    var attempt = 1
    while FileManager.default.fileExists(atPath: path) {
      attempt += 1
      path = folder + "/" + name + "-\(attempt)"
    }
    try PrivateFolder.make(path)
    var entries: [Report.Entry] = []
    for entry in upload.batch.entries {
      let file = "\(entry.cursor.client.rawValue).changeset"
      try Data(entry.changeset).write(to: URL(fileURLWithPath: path + "/" + file))
      entries.append(
        Report.Entry(
          file: file, bytes: entry.changeset.count, clientVersion: entry.cursor.client.rawValue,
          serverVersion: entry.cursor.server.rawValue, timestamp: entry.timestamp.rawValue))
    }
    let report = Report(
      realm: upload.path.description, user: upload.user.rawValue, clientFile: upload.batch.file.rawValue,
      refusedAt: upload.time.description, code: upload.failure.code.rawValue,
      message: upload.failure.details.message, changesets: entries)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(report).write(to: URL(fileURLWithPath: path + "/report.json"))
    return path
  }
}
