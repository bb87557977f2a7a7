import DataModel
import QueryLanguage

/// The lookups of all queries over the values of one property.
struct PropertyIndex: Sendable {
  let property: Int
  let foldsCase: Bool
  private var equalities: [LookupKey: SlotSet] = [:]
  private var prefixes = PrefixIndex()
  private var ranges: IntervalTree

  init(property: Int, foldsCase: Bool, seed: UInt64) {
    self.property = property
    self.foldsCase = foldsCase
    ranges = IntervalTree(seed: seed)
  }

  var isEmpty: Bool { equalities.isEmpty && prefixes.isEmpty && ranges.isEmpty }

  mutating func insert(_ test: PropertyLookup.Test, _ slot: Int) {
    switch test {
    case .equal(let key): equalities[key, default: SlotSet()].insert(slot)
    case .prefix(let prefix): prefixes.insert(prefix, slot)
    case .range(let lower, let upper): ranges.insert(KeyRange(lower: lower, upper: upper), slot)
    }
  }

  mutating func remove(_ test: PropertyLookup.Test, _ slot: Int) {
    switch test {
    case .equal(let key):
      equalities[key]?.remove(slot)
      if equalities[key]?.isEmpty == true { equalities[key] = nil }
    case .prefix(let prefix): prefixes.remove(prefix, slot)
    case .range(let lower, let upper): ranges.remove(KeyRange(lower: lower, upper: upper), slot)
    }
  }

  /// The key of the property in an object; nil when nothing here can find it.
  func key(_ values: [Value]) -> LookupKey? {
    LookupKey(property < values.count ? values[property] : .null, foldsCase: foldsCase)
  }

  /// Calls a closure with the cohorts whose lookups find a key.
  func find(_ key: LookupKey, _ body: (Int) -> Void) {
    for slot in equalities[key]?.slots ?? [] { body(slot) }
    if key == .null { return }
    if case .bytes(let bytes) = key { prefixes.find(bytes, body) }
    ranges.find(key, body)
  }
}
