import Foundation
import Telemetry

extension EmbeddedServer {
  /// Copies a data directory, also while a server runs on it: users, keys and every realm, each as of one moment.
  ///
  /// The realms come first and the directory of users last, so that no grant in the backup is older than the data it
  /// protects. What a client uploads meanwhile is in the copy of its realm or not, but never half. Realms are independent of
  /// each other, so their different moments do no harm.
  ///
  /// - Parameters:
  ///   - folder: must not exist. While the backup is made it is called `<folder>.partial`.
  ///   - isCancelled: asked now and then; true ends the work.
  ///   - progress: called now and then with the bytes of the files that are done, and of all.
  /// - Returns: what was written.
  /// - Throws: ``ServerError``; what was written by then is removed.
  @discardableResult
  public func backUp(
    to folder: String, serverVersion: String, isCancelled: () -> Bool = { false },
    progress: (_ done: Int, _ known: Int) -> Void = { _, _ in }
  ) throws(ServerError) -> BackupManifest {
    try checkIsAlone("back the database up, with pg_basebackup or pg_dump")
    let source = layout, target = DataLayout(folder)
    try source.checkUsed()
    guard !FileManager.default.fileExists(atPath: target.root) else {
      throw ServerError(.backupFailure, "\(target.root) exists already", remedy: "name a folder that does not exist")
    }
    let draft = DataLayout(target.root + ".partial")
    guard !FileManager.default.fileExists(atPath: draft.root) else {
      throw ServerError(
        .backupFailure, "\(draft.root) exists: another backup is being made there, or one was interrupted",
        remedy: "wait for it, or remove that folder")
    }
    return try FileCopies.make(target.root, as: draft.root, or: .backupFailure) { () throws(ServerError) in
      try fill(draft, from: source, serverVersion, isCancelled, progress)
    }
  }

  private func fill(
    _ draft: DataLayout, from source: DataLayout, _ version: String, _ isCancelled: () -> Bool,
    _ progress: (Int, Int) -> Void
  ) throws(ServerError) -> BackupManifest {
    let started = SystemWallClock().wallTime
    var files: [BackupManifest.File] = []
    let realms = source.realmFiles()
    let known = realms.reduce(FileCopies.size(source.directory)) { $0 + FileCopies.size(source.realms + "/" + $1) }
    var done = 0
    for name in realms {
      let file = "realms/" + name
      let size = FileCopies.size(source.realms + "/" + name)
      defer { done += size }
      // A realm may be deleted at any moment; it is then not in the directory either, which is copied later.
      guard FileManager.default.fileExists(atPath: source.root + "/" + file) else { continue }
      try PrivateFolder.make(ofFile: draft.root + "/" + file)
      do throws(ServerError) {
        try FileCopies.copyDatabase(source.root + "/" + file, to: draft.root + "/" + file, isCancelled: isCancelled) {
          share in
          progress(done + Int(share * Double(size)), known)
        }
      } catch {
        guard error.code != .interrupted, !FileManager.default.fileExists(atPath: source.root + "/" + file) else {
          throw error
        }
        continue
      }
      files.append(try Self.entry(file, in: draft))
      progress(done + size, known)
    }
    for name in try FileCopies.copyKeys(from: source, to: draft) {
      files.append(try Self.entry("keys/" + name, in: draft))
    }
    try FileCopies.copyDatabase(source.directory, to: draft.directory, isCancelled: isCancelled)
    if isCancelled() { throw .interrupted }
    files.append(try Self.entry("directory.db", in: draft))
    progress(known, known)
    let manifest = BackupManifest(
      format: BackupManifest.currentFormat, serverVersion: version, startedAt: started.description,
      finishedAt: SystemWallClock().wallTime.description, files: files.sorted { $0.path < $1.path })
    try manifest.write(to: draft.root)
    FileCopies.syncFolder(draft.root)
    return manifest
  }

  private static func entry(_ file: String, in folder: DataLayout) throws(ServerError) -> BackupManifest.File {
    guard let (digest, bytes) = FileCopies.digest(of: folder.root + "/" + file) else {
      throw ServerError(
        .backupFailure, "\(folder.root)/\(file) cannot be read back", remedy: "check the disk, then try again")
    }
    return BackupManifest.File(path: file, bytes: bytes, sha256: digest)
  }
}
