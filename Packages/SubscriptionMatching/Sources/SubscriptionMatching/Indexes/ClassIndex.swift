import DataModel
import QueryLanguage

/// The stateless queries over one class.
struct ClassIndex: Sendable {
  let objectSchema: ObjectSchema
  private var properties: [PropertyIndex] = []
  /// The queries that no lookup finds: they are asked about each changed object.
  private var others = SlotSet()
  /// The properties that some query reads.
  private(set) var reads = PropertyMaskUnion()
  private var count = 0

  init(_ objectSchema: ObjectSchema) { self.objectSchema = objectSchema }

  var isEmpty: Bool { count == 0 }

  /// - Parameter seed: the seed of a new tree of ranges.
  mutating func insert(_ slot: Int, _ lookups: [PropertyLookup]?, reads mask: PropertyMask, seed: UInt64) {
    count += 1
    reads.add(mask)
    guard let lookups else { return others.insert(slot) }
    for lookup in lookups {
      let position =
        position(of: lookup)
        ?? {
          properties.append(PropertyIndex(property: lookup.property, foldsCase: lookup.foldsCase, seed: seed))
          return properties.count - 1
        }()
      properties[position].insert(lookup.test, slot)
    }
  }

  mutating func remove(_ slot: Int, _ lookups: [PropertyLookup]?, reads mask: PropertyMask) {
    count -= 1
    reads.remove(mask)
    guard let lookups else { return others.remove(slot) }
    for lookup in lookups {
      guard let position = position(of: lookup) else { continue }
      properties[position].remove(lookup.test, slot)
      if properties[position].isEmpty { properties.remove(at: position) }
    }
  }

  private func position(of lookup: PropertyLookup) -> Int? {
    properties.firstIndex { $0.property == lookup.property && $0.foldsCase == lookup.foldsCase }
  }

  /// Calls a closure with every query that may match the values before or those after, some of them more than once.
  ///
  /// - Parameter changed: the properties in which the values before and after differ; nil when all may.
  func candidates(_ before: [Value]?, _ after: [Value]?, changed: PropertyMask?, _ body: (Int) -> Void) {
    for index in properties {
      let old = before.flatMap { index.key($0) }
      if let old { index.find(old, body) }
      if before != nil, let changed, !changed.mayContain(index.property) { continue }
      guard let new = after.flatMap({ index.key($0) }), new != old else { continue }
      index.find(new, body)
    }
    for slot in others.slots { body(slot) }
  }
}
