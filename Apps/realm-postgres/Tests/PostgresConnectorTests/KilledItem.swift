import ObjectStore

/// An object of the tests with faults.
final class KilledItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title: String?
  @Persisted var amount = 0
  @Persisted var tags: List<String>
  @Persisted var parent: KilledItem?
}
