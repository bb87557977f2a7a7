import DataModel
import Permissions
import StorageEngine

extension SubscriptionSets {
  /// Refuses new objects of classes that the newest set neither subscribes to nor can reach: the server would erase them at
  /// once. Reachable are classes to which subscribed ones link, in any number of steps, because what a view's objects link to
  /// may be in the view.
  ///
  /// - Throws: ``RecordStoreError`` with code `noSubscriptionForWrite`.
  /// - Complexity: O(*n*) in the subscriptions; for classes without one, also in the properties of all classes.
  static func checkCreations(_ classes: Set<String>, of catalog: Catalog, in transaction: WriteTransaction) throws {
    guard !classes.isEmpty, let sets = try stored(in: transaction) else { return }
    let subscribed = Set(sets.latest.subscriptions.map(\.className))
    // Nobody subscribes to the classes of permissions.
    let others = classes.subtracting(subscribed).filter { PermissionClass(rawValue: $0) == nil }
    guard !others.isEmpty, let name = others.subtracting(linked(from: subscribed, in: catalog)).min() else { return }
    throw RecordStoreError(
      .noSubscriptionForWrite,
      "Cannot write to class '\(name)' when no flexible sync subscription has been created. Subscribe to it first.")
  }

  /// The classes to which some classes link, in any number of steps.
  private static func linked(from classes: Set<String>, in catalog: Catalog) -> Set<String> {
    var found: Set<String> = []
    var waiting = Array(classes)
    while let name = waiting.popLast() {
      guard let layout = catalog[name] else { continue }
      for property in layout.schema.properties where property.originPropertyName == nil {
        if let target = property.objectClassName, found.insert(target).inserted { waiting.append(target) }
      }
    }
    return found
  }
}
