public import ChangesetOT
import StorageEngine

/// The use of a server's file in a few numbers, for lists of realms.
public struct ServerHistorySummary: Hashable, Sendable {
  /// The newest version.
  public var version: ServerVersion
  /// The client files that may go on where they are: those of devices that have the realm. Expired ones do not count.
  public var clientFiles: Int
  /// The origin of the newest change that the history still has; nil when it has none.
  public var lastChange: OriginTimestamp?

  /// The summary of a file; nil for a file that is no server's. Reads, and changes nothing.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the client files that the file ever had.
  public init?(of file: RealmFile) throws {
    let found: ServerHistorySummary? = try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { return nil }
      let clients = try ClientFileTable.idents(in: snapshot).count { number in
        try ClientFileTable.file(FileIdent(number), in: snapshot).map { !$0.isExpired } ?? false
      }
      return ServerHistorySummary(
        version: state.current, clientFiles: clients, lastChange: try Self.newest(state, file))
    }
    guard let found else { return nil }
    self = found
  }

  private init(version: ServerVersion, clientFiles: Int, lastChange: OriginTimestamp?) {
    (self.version, self.clientFiles, self.lastChange) = (version, clientFiles, lastChange)
  }

  private static func newest(_ state: ServerState, _ file: RealmFile) throws -> OriginTimestamp? {
    let position = Int64(bitPattern: state.current.rawValue)
    guard state.current > state.base else { return nil }
    let entries = try file.store.log(ServerLog.entries).entries(in: position...position)
    return try entries.first.map { try ServerLogEntry(decoding: $0.content).timestamp }
  }
}
