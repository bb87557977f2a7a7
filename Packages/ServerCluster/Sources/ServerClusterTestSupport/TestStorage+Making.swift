import Foundation
public import ObjectServer
import ObjectServerTestSupport
public import Telemetry

extension TestStorage {
  /// An empty directory of users, which goes with its last reference.
  public static func directory() throws -> any Directory { try directories(1)[0] }

  /// One directory, as several processes have it open.
  ///
  /// - Parameter count: how many processes; in memory there is one.
  public static func directories(_ count: Int) throws -> [any Directory] {
    guard !isEmbedded else { return Array(repeating: MemoryDirectory(), count: count) }
    return try TestNodes.shared.directories(count)
  }

  /// The realms of a server, as `EmbeddedHistories` keeps them; over PostgreSQL with the record of the folder's database. Realms in
  /// memory are then below a folder that goes with the value.
  public static func histories(
    _ storage: EmbeddedHistories.Storage, random: RandomSource, isDurable: Bool = true,
    clock: any WallClock = SystemWallClock(), retention: RetentionPolicy = RetentionPolicy(),
    beforeCommit: (@Sendable () throws -> Void)? = nil
  ) throws -> EmbeddedHistories {
    var (storage, durable, record): (_, _, (any RealmRecord)?) = (storage, isDurable, nil)
    if !isEmbedded {
      switch storage {
      case .folder(let folder): record = try node(of: folder)?.record
      case .memory:
        let scratch = ScratchFolder()
        record = try node(of: scratch.path).map { ScratchRecord(inner: $0.record, folder: scratch) }
        storage = .folder(scratch.path)
      }
      durable = false
    }
    return EmbeddedHistories(
      storage, random: random, isDurable: durable, clock: clock, retention: retention, record: record,
      beforeCommit: beforeCommit)
  }

  /// The node of the server whose realms are in a folder; nil for embedded storage. One folder is one node while it exists.
  public static func node(of folder: String) throws -> SharedParts? {
    isEmbedded ? nil : try TestNodes.shared.node(of: folder)
  }

  /// The storage for a server with a data directory; nil for embedded storage.
  public static func shared(by folder: String) throws -> (any SharedStorage)? {
    isEmbedded ? nil : try TestNodes.shared.storage(of: folder)
  }

  /// The address of the database of a folder, for a server in another process; nil for embedded storage.
  public static func address(of folder: String) throws -> String? {
    isEmbedded ? nil : try TestNodes.shared.address(of: folder)
  }
}
