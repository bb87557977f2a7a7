import Foundation
import Permissions

/// The files of realms below a folder: each realm's own and their companions.
struct RealmFiles {
  /// The suffixes of the files that SQLite and the storage engine put beside a database.
  private static let companions = ["-wal", "-shm", "-journal", ".lock"]

  let folder: String

  private func file(_ path: RealmPath) -> String { folder + "/" + RealmFileName.relativePath(of: path, in: folder) }

  /// Removes the file before its companions, which mean nothing without it.
  ///
  /// - Throws: ``ServerError/Code/realmFailure``
  func remove(_ path: RealmPath) throws {
    for name in [""] + Self.companions {
      let file = file(path) + name
      if unlink(file) != 0, errno != ENOENT { throw Self.failure(file, "removed") }
    }
  }

  /// Moves the write-ahead log before its database, so that a crash in between loses nothing.
  ///
  /// - Throws: ``ServerError/Code/realmFailure``
  func move(_ path: RealmPath, to newPath: RealmPath) throws {
    let (old, new) = (file(path), file(newPath))
    guard FileManager.default.fileExists(atPath: old) else { return }
    try PrivateFolder.make(ofFile: new)
    for name in ["-wal", ""] where rename(old + name, new + name) != 0 {
      if errno != ENOENT { throw Self.failure(old + name, "moved to \(new + name)") }
    }
    for name in Self.companions where name != "-wal" { unlink(old + name) }
  }

  private static func failure(_ file: String, _ verb: String) -> ServerError {
    ServerError(
      .realmFailure, "\(file) cannot be \(verb): \(String(cString: strerror(errno)))",
      remedy: "check the permissions of the data directory")
  }
}
