import Foundation

/// The files of a data directory, and of a backup of one.
///
/// ```text
/// directory.db    users, logins, realms, grants
/// keys/           token.key signs tokens; directory.key seals records of the directory; admin.json holds a token
///                 that may do everything
/// realms/         one file per realm
/// quarantine/     changesets that could not be integrated
/// audit/          who did what, each line with the hash of the one before
/// mail/           messages that wait to be sent, accounts that wait to be confirmed
/// backups/        backups that an administrator asked the running server for
/// exchange/       files of imports and exports, for an hour
/// server.json     where the running server is reached, for tools of the same machine
/// lock            held while a server runs
/// moved           only where all was moved into a cluster: what is left here is older
/// manifest.json   only in a backup: what belongs to it, with digests
/// ```
struct DataLayout: Hashable, Sendable {
  /// The folder, without a slash at the end.
  let root: String

  init(_ root: String) {
    var root = root
    while root.count > 1, root.hasSuffix("/") { root.removeLast() }
    self.root = root
  }

  var directory: String { root + "/directory.db" }
  var keys: String { root + "/keys" }
  var realms: String { root + "/realms" }
  var quarantine: String { root + "/quarantine" }
  var audit: String { root + "/audit" }
  var backups: String { root + "/backups" }
  var exchange: String { root + "/exchange" }
  var mail: String { root + "/mail" }
  var running: String { root + "/server.json" }
  var lock: String { root + "/lock" }
  var manifest: String { root + "/manifest.json" }
  var moved: String { root + "/moved" }

  /// Whether a server has used the directory.
  var isUsed: Bool { FileManager.default.fileExists(atPath: directory) }
  /// Whether the directory is a complete backup: the manifest is written last.
  var isBackup: Bool { FileManager.default.fileExists(atPath: manifest) }

  /// The files of realms below the folder of realms, by their paths relative to it, sorted.
  func realmFiles() -> [String] {
    guard let found = FileManager.default.enumerator(atPath: realms) else { return [] }
    return found.compactMap { $0 as? String }.filter { $0.hasSuffix(".realm") }.sorted()
  }

  /// Checks that a server has used the directory.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  func checkUsed() throws(ServerError) {
    guard isUsed else {
      throw ServerError(
        .dataDirectoryUnusable, "\(root) is no data directory: it has no directory.db",
        remedy: "name the directory that the server was started with, with --data")
    }
    try checkNotMoved()
  }

  /// Refuses a directory whose users and realms went into a cluster.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  func checkNotMoved() throws(ServerError) {
    guard FileManager.default.fileExists(atPath: moved) else { return }
    throw ServerError(
      .dataDirectoryUnusable, "the users and realms of \(root) were moved into a cluster",
      remedy: "set 'storage' for a node of it; 'cluster export' makes a data directory of a cluster")
  }
}
