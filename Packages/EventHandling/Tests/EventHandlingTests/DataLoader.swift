import Foundation
import ObjectStore
import SyncClient

/// A task of the tutorials.
class Item: Object {
  @Persisted(primaryKey: true) var itemId = UUID().uuidString
  @Persisted var body: String
  @Persisted var isDone: Bool
  @Persisted var timestamp = Date()
}

/// A list of tasks.
class Project: Object {
  @Persisted(primaryKey: true) var projectId = UUID().uuidString
  @Persisted var owner: String
  @Persisted var name: String
  @Persisted var timestamp = Date()
  @Persisted var items: List<Item>
}

/// Fills the default realm of a server with a project of items, unless it has as many items.
///
/// - Returns: the number of items that were made.
@MainActor
func loadItems(_ total: Int, into name: String, as user: SyncUser) async throws -> Int {
  var configuration = user.configuration(realmURL: nil, fullSynchronization: true)
  configuration.objectTypes = [Item.self, Project.self]
  // The present state comes first: a second run finds what the first one made
  let realm = try await Realm(configuration: configuration, downloadBeforeOpen: .always, timeout: 30)
  guard realm.objects(Item.self).count < total else { return 0 }
  let words = ["amber", "bridge", "candle", "dune", "ember", "fjord", "garden", "harbour", "island", "juniper"]
  try realm.write {
    let project = realm.create(Project.self, value: ["owner": user.identity ?? "", "name": name])
    for _ in 0..<total {
      let text = (0..<3).compactMap { _ in words.randomElement() }.joined(separator: " ")
      project.items.append(realm.create(Item.self, value: ["body": text]))
    }
  }
  try await realm.syncSession?.waitForUpload()
  return total
}
