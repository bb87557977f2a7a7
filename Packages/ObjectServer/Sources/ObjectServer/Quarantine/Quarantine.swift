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
    for entry in upload.batch.entries {
      let file = QuarantineReport.file(of: entry.cursor.client.rawValue)
      try Data(entry.changeset).write(to: URL(fileURLWithPath: path + "/" + file))
    }
    try QuarantineReport(upload).write(to: path)
    return path
  }
}
