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
      classes: { path throws(ServerError) in try classes(of: path) },
      backUp: { name, progress throws(ServerError) in
        try PrivateFolder.make(layout.backups)
        return try backUp(to: layout.backups + "/" + name, serverVersion: serverVersion, progress: progress)
      },
      verify: { progress throws(ServerError) in try verify(progress) },
      vacuum: { progress, isCancelled throws(ServerError) in
        try vacuum(progress: progress, isCancelled: isCancelled)
      }, quarantine: layout.quarantine)
  }

  /// The classes of a realm; none for a realm whose file was never made.
  private func classes(of path: RealmPath) throws(ServerError) -> [RealmClass] {
    let file = layout.realms + "/" + RealmFileName.relativePath(of: path, in: layout.realms)
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    do {
      let contents = try RealmFile.open(.file(path: file), options: RealmFile.Options(recordsChangesets: false))
        .contents()
      return contents.schema.objectSchema.map { found in
        RealmClass(
          name: found.className, kind: "\(found.kind)", primaryKey: found.primaryKey,
          properties: found.properties.map { ($0.name, "\($0.type)") }, objects: contents.count(of: found.className))
      }
    } catch {
      throw ServerError(
        .realmFailure, "\(file) of \(path) cannot be read", remedy: "'verify' tells whether the file is damaged",
        cause: error)
    }
  }
}
