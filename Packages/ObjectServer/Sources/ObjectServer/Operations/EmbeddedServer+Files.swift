import Foundation
import Permissions
import RecordStore

extension EmbeddedServer {
  /// The folder of the audit log of the data directory.
  public var auditFolder: String { layout.audit }

  /// The operations of the data directory for administration, also while a server runs.
  ///
  /// - Parameters:
  ///   - serverVersion: the version that backups name.
  ///   - stores: the realms of a node of a cluster, whose files are copies; nil for a server that is alone.
  func files(serverVersion: String, stores: EmbeddedHistories? = nil) -> ServerFiles {
    let overviews = OverviewCache()
    return ServerFiles(
      overview: { path throws(ServerError) in
        guard stores == nil else { return try read(path, stores) { try overview(of: path, in: $0) } }
        return try overviews.overview(of: path, in: file(of: path)) { () throws(ServerError) in try overview(of: path) }
      },
      contents: { path throws(ServerError) in
        try read(path, stores) { file in
          try file?.contents() ?? RealmFile.open(.inMemory(name: "none:\(UUID().uuidString)")).contents()
        }
      },
      consumers: { path throws(ServerError) in
        try read(path, stores) { file in try file.map { try ServerHistory.feedCursors(of: $0) } ?? [] }
      }, isComplete: stores == nil,
      backUp: { name, progress throws(ServerError) in
        try PrivateFolder.make(layout.backups)
        return try backUp(to: layout.backups + "/" + name, serverVersion: serverVersion, progress: progress)
      },
      verify: { progress throws(ServerError) in try verify(progress) },
      vacuum: { progress, isCancelled throws(ServerError) in
        try vacuum(progress: progress, isCancelled: isCancelled)
      },
      freeDiskBytes: {
        (try? FileManager.default.attributesOfFileSystem(forPath: layout.root))?[.systemFreeSize] as? Int
      }, quarantine: layout.quarantine, exchange: layout.exchange)
  }

  /// Reads the file of a realm beside whoever writes; nil where none was made yet.
  private func read<Value>(
    _ path: RealmPath, _ stores: EmbeddedHistories?, _ body: (RealmFile?) throws -> Value
  ) throws(ServerError) -> Value {
    let file = file(of: path)
    do {
      if let stores { return try body(stores.history(of: path)?.file) }
      guard FileManager.default.fileExists(atPath: file) else { return try body(nil) }
      return try body(RealmFile.open(.file(path: file), options: RealmFile.Options(recordsChangesets: false)))
    } catch let error as ServerError { throw error } catch {
      throw ServerError(
        .realmFailure, "\(file) of \(path) cannot be read", remedy: "'verify' tells whether the file is damaged",
        cause: error)
    }
  }
}
