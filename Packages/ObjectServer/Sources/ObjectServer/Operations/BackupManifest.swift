import Foundation

/// The list of the files of a backup. Written last, so a backup without a manifest is incomplete.
public struct BackupManifest: Codable, Hashable, Sendable {
  /// One file of a backup.
  public struct File: Codable, Hashable, Sendable {
    /// Relative to the backup's folder.
    public var path: String
    /// Its size.
    public var bytes: Int
    /// SHA-256 in hexadecimal digits.
    public var sha256: String
  }

  /// The layout that this release writes and reads.
  public static let currentFormat = 1

  /// The layout of the backup.
  public var format: Int
  /// The release that made it.
  public var serverVersion: String
  /// The time of the beginning, as ISO 8601 in UTC.
  public var startedAt: String
  /// The time of the end, as ISO 8601 in UTC.
  public var finishedAt: String
  /// Everything that belongs to it, in order of the paths.
  public var files: [File]

  /// The bytes of all files.
  public var totalBytes: Int { files.reduce(0) { $0 + $1.bytes } }
  /// The realms among the files.
  public var realmCount: Int { files.count { $0.path.hasPrefix("realms/") } }

  /// Reads the manifest of the backup in `folder`.
  ///
  /// - Throws: ``ServerError/Code/badBackup``
  public static func read(from folder: String) throws(ServerError) -> BackupManifest {
    let path = DataLayout(folder).manifest
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ServerError(
        .badBackup, "\(folder) is no complete backup: it has no manifest.json",
        remedy: "name a folder that 'backup' finished; one that ends in .partial was interrupted and may be removed")
    }
    let manifest: BackupManifest
    do {
      manifest = try JSONDecoder().decode(BackupManifest.self, from: data)
    } catch {
      throw ServerError(
        .badBackup, "the manifest of the backup \(folder) is damaged", remedy: "use another backup", cause: error)
    }
    guard manifest.format <= currentFormat else {
      throw ServerError(
        .badBackup, "the backup \(folder) was made by a newer release (\(manifest.serverVersion))",
        remedy: "restore it with that release")
    }
    guard manifest.files.allSatisfy({ isInside($0.path) }) else {
      throw ServerError(
        .badBackup, "the manifest of the backup \(folder) names files outside of it", remedy: "use another backup")
    }
    return manifest
  }

  private static func isInside(_ path: String) -> Bool {
    !path.hasPrefix("/")
      && !path.split(separator: "/", omittingEmptySubsequences: false).contains { $0 == ".." || $0.isEmpty }
  }

  func write(to folder: String) throws(ServerError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    try SecretFile.write(text + "\n", to: DataLayout(folder).manifest)
  }
}
