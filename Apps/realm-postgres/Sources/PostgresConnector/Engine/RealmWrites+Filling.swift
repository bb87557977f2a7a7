import AdapterKit
import DataModel
import RecordStore

// The insides of values: written whole, or only what changed.

extension RealmWrites {
  /// Adds what lies inside a new value.
  mutating func fill(_ item: StateDump.Item, _ place: AdapterPlace) {
    switch item {
    case .value(let value): nested(value, place)
    case .embedded(let fields): fillFields(fields, place)
    case .set(let values): for value in values { steps.append(.setInsert(place, .value(value))) }
    case .dictionary(let entries):
      for (key, item) in entries.sorted(by: { $0.key < $1.key }) { setEntry(key, item, place) }
    case .list(let items): fillList(items, place)
    }
  }

  /// Adds the difference of two values of a field; a single value was set already.
  mutating func change(_ item: StateDump.Item, from old: StateDump.Item?, _ place: AdapterPlace) throws {
    switch (old, item) {
    case (.set(let old)?, .set(let new)):
      for value in old.subtracting(new) { steps.append(.setErase(place, .value(value))) }
      for value in new.subtracting(old) { steps.append(.setInsert(place, .value(value))) }
    case (.dictionary(let old)?, .dictionary(let new)):
      for key in old.keys.sorted() where new[key] == nil { steps.append(.dictionaryErase(place, key: key)) }
      for (key, item) in new.sorted(by: { $0.key < $1.key }) where old[key]?.comparable != item.comparable {
        setEntry(key, item, place)
      }
    case (.embedded(let old)?, .embedded(let new)): changeFields(new, from: old, place)
    case (.list(let old)?, .list(let new)): try edit(place, from: old) { _ in new }
    default: fill(item, place)
    }
  }

  /// Changes a list as its rows were changed: in place where only the database changed it, otherwise the merged list is written.
  ///
  /// - Parameters:
  ///   - known: the list before the change, if it is known.
  ///   - edited: the list after the change, from the one that the realm has.
  mutating func edit(
    _ place: AdapterPlace, from known: [StateDump.Item]? = nil, _ edited: ([StateDump.Item]) throws -> [StateDump.Item]
  ) throws {
    guard case .list(let present)? = try present(place.object, place.property) else {
      return fillList(try edited([]), place)
    }
    if let known, known.map(\.comparable) != present.map(\.comparable) {
      // The rows of an array are known as a whole: its difference is made on the list that the realm has.
      let new = try edited(known)
      let (removed, added) = ListEdit.between(known, new)
      var merged = present
      for item in known[removed] {
        guard let index = merged.firstIndex(where: { $0.comparable == item.comparable }) else { continue }
        merged.remove(at: index)
      }
      merged.insert(contentsOf: new[added], at: min(merged.count, added.lowerBound))
      return try replace(place, present, merged)
    }
    try replace(place, present, try edited(present))
  }

  private mutating func replace(
    _ place: AdapterPlace, _ present: [StateDump.Item], _ new: [StateDump.Item]
  ) throws {
    let (removed, added) = ListEdit.between(present, new)
    guard !removed.isEmpty || !added.isEmpty else { return }
    sizes[place] = present.count
    var writes = self
    writes.steps = removed.map { _ in .listErase(place, index: removed.lowerBound) }
    for index in added { writes.insertElement(new[index], place, index) }
    if try othersChanged(place.object, place.property) {
      mergedLists += writes.steps
    } else {
      steps += writes.steps
    }
  }

  /// Fills a list that is empty: to clear it would take what devices add at the same time.
  private mutating func fillList(_ items: [StateDump.Item], _ place: AdapterPlace) {
    for (index, item) in items.enumerated() { insertElement(item, place, index) }
  }

  private mutating func insertElement(_ item: StateDump.Item, _ place: AdapterPlace, _ index: Int) {
    var inner = place
    inner.path.append(.index(index))
    steps.append(.listInsert(place, index: index, Self.adapterValue(item)))
    descend(item, inner)
  }

  private mutating func setEntry(_ key: String, _ item: StateDump.Item, _ place: AdapterPlace) {
    var inner = place
    inner.path.append(.name(key))
    steps.append(.dictionarySet(place, key: key, Self.adapterValue(item)))
    descend(item, inner)
  }

  private mutating func descend(_ item: StateDump.Item, _ place: AdapterPlace) {
    switch item {
    case .value(let value): nested(value, place)
    case .embedded(let fields), .dictionary(let fields): fillFields(fields, place)
    case .list(let items): fillList(items, place)
    case .set(let values): for value in values { steps.append(.setInsert(place, .value(value))) }
    }
  }

  private mutating func fillFields(_ fields: [String: StateDump.Item], _ place: AdapterPlace) {
    for (name, item) in fields.sorted(by: { $0.key < $1.key }) {
      var inner = place
      inner.path.append(.name(name))
      switch item {
      case .value, .embedded: steps.append(.nestedSet(inner, Self.adapterValue(item)))
      case .list, .set, .dictionary: break
      }
      descend(item, inner)
    }
  }

  private mutating func changeFields(
    _ new: [String: StateDump.Item], from old: [String: StateDump.Item], _ place: AdapterPlace
  ) {
    let changed = new.filter { old[$0.key]?.comparable != $0.value.comparable }
    for (name, item) in changed.sorted(by: { $0.key < $1.key }) {
      var inner = place
      inner.path.append(.name(name))
      switch item {
      case .set: steps.append(.setClear(inner))
      case .dictionary: steps.append(.dictionaryClear(inner))
      case .list: steps.append(.listClear(inner))
      case .value, .embedded: break
      }
    }
    fillFields(changed, place)
  }

  private mutating func nested(_ value: Value, _ place: AdapterPlace) {
    switch value {
    case .list(let elements): fillList(elements.map { .value($0) }, place)
    case .dictionary(let entries): fillFields(entries.mapValues { .value($0) }, place)
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link: break
    }
  }
}
