import Foundation
import Permissions
import RecordStore

extension EmbeddedServer {
  /// The folder of the audit log of the data directory.
  public var auditFolder: String { layout.audit }

  /// The operations of the data directory for administration, also while a server runs.
  ///
  /// - Parameter serverVersion: the version that backups name.
  func files(serverVersion: String) -> ServerFiles {
    ServerFiles(
      overview: { path throws(ServerError) in try overview(of: path) },
      contents: { path throws(ServerError) in try contents(of: path) },
      backUp: { name, progress throws(ServerError) in
        try PrivateFolder.make(layout.backups)
        return try backUp(to: layout.backups + "/" + name, serverVersion: serverVersion, progress: progress)
      },
      verify: { progress throws(ServerError) in try verify(progress) },
      vacuum: { progress, isCancelled throws(ServerError) in
        try vacuum(progress: progress, isCancelled: isCancelled)
      }, quarantine: layout.quarantine, exchange: layout.exchange)
  }

  /// The newest version of a realm, read beside whoever writes; an empty one for a realm whose file was never made.
  private func contents(of path: RealmPath) throws(ServerError) -> RealmContents {
    let file = layout.realms + "/" + RealmFileName.relativePath(of: path, in: layout.realms)
    do {
      guard FileManager.default.fileExists(atPath: file) else {
        return try RealmFile.open(.inMemory(name: "none:\(UUID().uuidString)")).contents()
      }
      return try RealmFile.open(.file(path: file), options: RealmFile.Options(recordsChangesets: false)).contents()
    } catch {
      throw ServerError(
        .realmFailure, "\(file) of \(path) cannot be read", remedy: "'verify' tells whether the file is damaged",
        cause: error)
    }
  }
}
