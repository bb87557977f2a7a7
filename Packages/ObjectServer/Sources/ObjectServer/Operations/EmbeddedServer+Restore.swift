import ChangesetOT
import Cryptography
import Foundation
import RecordStore

/// The result of a restore.
public struct RestoreReport: Hashable, Sendable {
  /// Realms put back.
  public var realms = 0
  /// Realm files in the backup that its directory does not know: deleted while the backup was made, and left out.
  public var leftOut = 0
  /// Bytes copied.
  public var bytes = 0
}

extension EmbeddedServer {
  /// Makes this data directory from a backup. Every file is compared with the digest in the backup first.
  ///
  /// Clients may be ahead of the backup, or may have acknowledgements of uploads that it does not contain. So all client files are expired:
  /// every client is told to reset when it connects, and brings along its transactions that the backup lacks.
  ///
  /// - Precondition: no server runs on the directory; it is missing or empty.
  /// - Parameters:
  ///   - folder: the backup.
  ///   - isCancelled: asked before each file; true ends the work.
  ///   - progress: called now and then with the bytes of the files that are done, and of all.
  /// - Throws: ``ServerError``; the directory is then as before.
  @discardableResult
  public func restore(
    from folder: String, isCancelled: () -> Bool = { false },
    progress: (_ done: Int, _ known: Int) -> Void = { _, _ in }
  ) throws(ServerError) -> RestoreReport {
    try checkIsAlone("restore the database")
    let target = layout, source = DataLayout(folder)
    let manifest = try BackupManifest.read(from: source.root)
    let present = (try? FileManager.default.contentsOfDirectory(atPath: target.root)) ?? []
    guard present.isEmpty else {
      throw ServerError(
        .dataDirectoryUnusable, "\(target.root) is not empty",
        remedy: "restore into a new directory with --data, then start the server with it")
    }
    let draft = DataLayout(target.root + ".partial")
    try? FileManager.default.removeItem(atPath: draft.root)
    return try FileCopies.make(target.root, as: draft.root, or: .dataDirectoryUnusable) { () throws(ServerError) in
      try fill(draft, from: source, manifest, isCancelled, progress)
    }
  }

  private func fill(
    _ draft: DataLayout, from source: DataLayout, _ manifest: BackupManifest, _ isCancelled: () -> Bool,
    _ progress: (Int, Int) -> Void
  ) throws(ServerError) -> RestoreReport {
    var report = RestoreReport()
    for file in manifest.files {
      if isCancelled() { throw .interrupted }
      let (from, to) = (source.root + "/" + file.path, draft.root + "/" + file.path)
      guard let found = FileCopies.digest(of: from), found.sha256 == file.sha256, found.bytes == file.bytes else {
        throw ServerError(
          .badBackup, "\(from) is missing or damaged: it is not what the backup's manifest says",
          remedy: "use another backup, or fetch this one again from where it was stored")
      }
      try PrivateFolder.make(ofFile: to)
      try FileCopies.copy(from, to: to)
      report.bytes += found.bytes
      progress(report.bytes, manifest.totalBytes)
    }
    let directory = try SQLiteDirectory(path: draft.directory)
    defer { directory.close() }
    let known = try Self.knownRealms(directory)
    for name in draft.realmFiles() {
      if isCancelled() { throw .interrupted }
      let file = draft.realms + "/" + name
      guard known.contains(name) else {
        report.leftOut += 1
        try? FileManager.default.removeItem(atPath: file)
        continue
      }
      try Self.expireClients(of: file)
      report.realms += 1
    }
    return report
  }

  /// The files of the realms that the directory lists, relative to the folder of realms.
  static func knownRealms(_ directory: any Directory) throws(ServerError) -> Set<String> {
    Set(try directory.allRealms().flatMap(RealmFileName.possiblePaths(of:)))
  }

  private static func expireClients(of file: String) throws(ServerError) {
    do {
      let options = RealmFile.Options(recordsChangesets: false, createsIfMissing: false)
      var random = SecureRandom()
      let history = try ServerHistory(try RealmFile.open(.file(path: file), options: options), random: &random)
      try history.expireClientFiles(notSeenSince: OriginTimestamp(UInt64(Int64.max)))
    } catch {
      throw ServerError(
        .realmFailure, "the realm file \(file) of the backup cannot be used", remedy: "use another backup", cause: error
      )
    }
  }
}
