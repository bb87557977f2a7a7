import ChangesetOT
import Foundation
public import Permissions
import RecordStore
public import Telemetry

/// One realm of a data directory, as lists show it.
public struct RealmOverview: Sendable {
  /// The path of the realm.
  public var path: RealmPath
  /// The bytes of its file and of the file's write-ahead log; 0 for a realm whose file was never made.
  public var bytes: Int
  /// The devices that have the realm: client files that have not expired.
  public var clients: Int
  /// The time of the newest change, by the clock of the device that made it; nil where the history has none.
  public var lastChange: WallTime?
}

extension EmbeddedServer {
  /// The realms of the data directory by their paths, also while a server runs. Changes nothing.
  ///
  /// - Parameter visit: called for each realm in the order of the paths.
  /// - Throws: ``ServerError/Code/directoryFailure``; ``ServerError/Code/realmFailure`` naming a file that cannot be read;
  ///   the error of `visit`, which ends the walk.
  /// - Complexity: O(realms and their client files); one file is open at a time.
  public func forEachRealm(_ visit: (RealmOverview) throws -> Void) throws {
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    for path in try directory.allRealms() { try visit(try overview(of: path)) }
  }

  /// The path of a realm's file.
  func file(of path: RealmPath) -> String {
    layout.realms + "/" + RealmFileName.relativePath(of: path, in: layout.realms)
  }

  func overview(of path: RealmPath) throws(ServerError) -> RealmOverview {
    guard shared == nil else { return RealmOverview(path: path, bytes: 0, clients: 0) }
    let file = file(of: path)
    guard FileManager.default.fileExists(atPath: file) else { return bareOverview(of: path) }
    do {
      return try overview(
        of: path, in: RealmFile.open(.file(path: file), options: RealmFile.Options(recordsChangesets: false)))
    } catch {
      guard FileManager.default.fileExists(atPath: file) else { return bareOverview(of: path) }
      throw ServerError(
        .realmFailure, "\(file) of \(path) cannot be read", remedy: "'verify' tells whether the file is damaged",
        cause: error)
    }
  }

  /// The overview of a realm by its open file; of one that has none, when it is nil.
  ///
  /// - Throws: the errors of ObjectStore.
  func overview(of path: RealmPath, in realm: RealmFile?) throws -> RealmOverview {
    var overview = bareOverview(of: path)
    guard let realm, let summary = try ServerHistorySummary(of: realm) else { return overview }
    overview.clients = summary.clientFiles
    overview.lastChange = summary.lastChange.map {
      WallTime(millisecondsSince1970: Int64(clamping: $0.unixMilliseconds))
    }
    return overview
  }

  private func bareOverview(of path: RealmPath) -> RealmOverview {
    let file = file(of: path)
    return RealmOverview(path: path, bytes: FileCopies.size(file) + FileCopies.size(file + "-wal"), clients: 0)
  }
}
