import Foundation
import ObjectStore
import RecordStore
import Testing

/// The class of the tests.
final class Item: Object {
  @Persisted(primaryKey: true) var _id: Int

  // Other packages' tests, in the same process, have a class of this name.
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension RealmFile {
  /// A write transaction of an application that adds one item; without a key, one that only declares the class.
  func addItem(_ key: Int? = nil) throws {
    guard case .file(let path) = location else { throw NoFile() }
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [Item.self]))
    guard let key else { return }
    try realm.write { _ = realm.create(Item.self, value: ["_id": key]) }
  }
}

private struct NoFile: Error {}
