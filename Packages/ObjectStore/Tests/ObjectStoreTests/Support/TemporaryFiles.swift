import Foundation

@testable import ObjectStore
@testable import RecordStore

/// A folder that is gone with the last reference to it.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("ObjectStoreTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func configuration(_ name: String = "test.realm", version: UInt64 = 0, types: [ObjectBase.Type]? = nil)
    -> Realm.Configuration
  {
    Realm.Configuration(
      fileURL: url.appendingPathComponent(name), schemaVersion: version,
      objectTypes: types ?? [Person.self, Dog.self, Address.self])
  }

  /// The realm in its first schema version, of these classes, with what `block` did on the way.
  func migrated(to types: [ObjectBase.Type], _ block: @escaping (Migration) -> Void = { _ in }) throws -> Realm {
    var configuration = configuration(version: 1, types: types)
    nonisolated(unsafe) let block = block
    configuration.migrationBlock = { migration, _ in block(migration) }
    return try Realm(configuration: configuration)
  }
}
