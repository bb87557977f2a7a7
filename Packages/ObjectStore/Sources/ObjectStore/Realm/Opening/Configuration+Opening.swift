import Foundation
import Glibc
import StorageEngine
import RecordStore

// From a configuration to the open file.
extension Realm.Configuration {
  /// Stops the program at settings that exclude each other.
  func checkCombination() {
    rule(
      !(readOnly && deleteRealmIfMigrationNeeded),
      "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    rule(
      !(readOnly && shouldCompactOnLaunch != nil), "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    rule(
      !(deleteRealmIfMigrationNeeded && replication != nil),
      "Cannot set 'deleteRealmIfMigrationNeeded' when sync is enabled ('syncConfig' is set).")
    rule(encryptionKey.map { $0.count == 64 } ?? true, "Encryption key must be exactly 64 bytes long")
    rule(schemaVersion != .max, "Cannot set schema version to \(UInt64.max) (RLMNotVersioned)")
  }

  /// Opens the file, or joins those in this process that have it open.
  func openFile() throws -> RealmFile { try openAndRead().file }

  /// Opens the file as ``openFile()`` does, and gives its version when opening it read that.
  func openAndRead() throws -> (file: RealmFile, snapshot: Snapshot?) {
    let location = self.location
    var options = RealmFile.Options(
      recordsChangesets: recordsChangesets || replication != nil, createsIfMissing: !readOnly,
      encryptionKey: encryptionKey.map { Array($0) })
    // A replicated realm is written by replication, whatever its reader may do.
    options.isReadOnly = readOnly && replication == nil
    guard case .file(let path) = location else {
      options.isDurable = false
      return try RealmFile.openAndRead(location, options: options, atLaunch: nil)
    }
    if let open = RealmFile.ifOpen(location) {
      rule(
        open.options.encryptionKey == options.encryptionKey,
        "Realm at path '\(path)' already opened with a different encryption key")
    } else {
      try replication?.willOpen(fileAt: path)
      if access(path, F_OK) != 0 { try prepareFile(at: URL(fileURLWithPath: path)) }
    }
    do {
      return try RealmFile.openAndRead(location, options: options, atLaunch: shouldCompactOnLaunch.map(compactAtLaunch))
    } catch let error as Realm.Error { throw Self.inRealmsWords(error, path) }
  }

  /// An error of opening a file with the file, and with RealmSwift's message where there is one for it.
  private static func inRealmsWords(_ error: Realm.Error, _ path: String) -> Realm.Error {
    var error = error
    if error.fileURL == nil { error.fileURL = URL(fileURLWithPath: path) }
    let reason: String
    switch error.code {
    case .filePermissionDenied:
      reason = "Permission denied. Please use a path where your app has read-write permissions."
    case .fileNotFound: reason = "No such file or directory"
    case .invalidDatabase:
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
      guard (1..<24).contains(size) else { return error }
      reason = "file is non-empty but too small (\(size) bytes) to be a valid Realm."
    default: return error  // Codes that RealmSwift words otherwise, or not at all, keep what to do about them.
    }
    let message = "Failed to open Realm file at path '\(path)': \(reason)"
    return Realm.Error(error.code, message, fileURL: error.fileURL, cause: error)
  }

  /// Sees to it that a file that is not there can be made: its folder, and its seed.
  private func prepareFile(at url: URL) throws {
    if let seedFilePath { return try plant(seedFilePath, at: url) }
    guard !readOnly else {
      throw Realm.Error(
        .fileNotFound, "Failed to open Realm file at path '\(url.path)': No such file or directory", fileURL: url)
    }
    try makeFolder(of: url)
  }

  /// The folders that the library chooses are made; those that the program names must be there.
  private func makeFolder(of url: URL) throws {
    let folder = url.deletingLastPathComponent()
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) {
      if isFolder.boolValue { return }
      throw Realm.Error(
        .fileOperationFailed, "Failed to open file at path '\(url.path).lock': parent path is not a directory",
        fileURL: url.appendingPathExtension("lock"))
    }
    guard folder.standardizedFileURL == Self.defaultDirectory.standardizedFileURL || replication != nil else {
      throw Realm.Error(
        .fileNotFound, "Directory at path '\(url.path)' does not exist. Create the folder \(folder.path) first.",
        fileURL: url)
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Realm.Error(
        .fileAccess, "The folder \(folder.path) cannot be made. Check the permissions above it.", fileURL: url,
        cause: error)
    }
  }

  /// Copies the seed; who opens at the same time finds all of it or nothing.
  private func plant(_ seed: URL, at url: URL) throws {
    guard FileManager.default.fileExists(atPath: seed.path) else {
      throw Realm.Error(.fileNotFound, "There is no seed file at \(seed.path). Check the path.", fileURL: seed)
    }
    try makeFolder(of: url)
    let draft = URL(fileURLWithPath: url.path + ".draft-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: draft) }
    do {
      try FileManager.default.copyItem(at: seed, to: draft)
      try FileManager.default.moveItem(at: draft, to: url)
    } catch {
      // Another thread or process may have been faster.
      guard !FileManager.default.fileExists(atPath: url.path) else { return }
      throw Realm.Error(
        .fileAccess, "The seed file \(seed.path) cannot be copied to \(url.path).", fileURL: url, cause: error)
    }
  }

  /// Asks whether to compact, when nobody else uses the file.
  private func compactAtLaunch(_ shouldCompact: @escaping (Int, Int) -> Bool) -> (RealmFile) throws -> Void {
    { file in
      guard case .file = file.location, try !file.store.isOpenElsewhere() else { return }
      let sizes = try file.statistics()
      if shouldCompact(sizes.fileSize, sizes.usedBytes) { try file.compact() }
    }
  }
}
