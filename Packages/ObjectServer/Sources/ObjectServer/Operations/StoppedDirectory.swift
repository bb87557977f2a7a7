import Foundation
public import Permissions

/// A data directory that no server uses, and that none can use as long as the value is there: for moving all of it elsewhere.
///
///     let stopped = try StoppedDirectory(EmbeddedServer(path: "/var/lib/openrealm"))
///     for (path, file) in stopped.realms { … }
public final class StoppedDirectory: Sendable {
  /// The directory of users.
  public let directory: SQLiteDirectory
  /// The realms of the directory that have files, with the paths of the files, in the order of the realms' paths.
  public let realms: [(path: RealmPath, file: String)]
  /// Files of realms that the directory does not know.
  public let unknownFiles: [String]
  private let layout: DataLayout
  private let lock: DataDirectoryLock

  /// Locks a data directory and opens its directory of users.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryLocked`` while a server uses it, ``ServerError/Code/dataDirectoryUnusable`` for what
  ///   is none, or was moved; ``ServerError/Code/directoryFailure``
  public init(_ server: EmbeddedServer) throws(ServerError) {
    let layout = server.layout
    try layout.checkUsed()
    let lock = try DataDirectoryLock(path: layout.lock, directory: layout.root)
    do throws(ServerError) {
      try PrivateModes.enforce(layout)
      directory = try SQLiteDirectory(path: layout.directory)
      let present = Set(layout.realmFiles())
      var known: Set<String> = []
      var realms: [(path: RealmPath, file: String)] = []
      for path in try directory.allRealms() {
        let name = RealmFileName.relativePath(of: path, in: layout.realms)
        guard present.contains(name) else { continue }
        known.insert(name)
        realms.append((path, layout.realms + "/" + name))
      }
      self.realms = realms
      unknownFiles = present.subtracting(known).sorted()
    } catch {
      lock.release()
      throw error
    }
    self.layout = layout
    self.lock = lock
  }

  deinit {
    directory.close()
    lock.release()
  }

  /// The folder of the keys.
  public var keys: String { layout.keys }

  /// Marks the directory as moved: no server and no tool uses it again without the storage of the cluster.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable`` when the mark cannot be written.
  public func markMoved() throws(ServerError) {
    try SecretFile.write(
      "Users and realms were moved into a cluster. What is here is older; a node may use the folder.\n",
      to: layout.moved)
    FileCopies.syncFolder(layout.root)
  }
}

extension EmbeddedServer {
  /// The names of what stays in the data directory when its users and realms go elsewhere, as far as it is there: the files of one
  /// server.
  public var remainder: [String] {
    ["audit", "quarantine", "mail", "webhooks", "backups"].filter {
      FileManager.default.fileExists(atPath: layout.root + "/" + $0)
    }
  }
}
