import DataModel

/// Selection of elements in collections that are values.
extension PathReader {
  /// Lists in order, sets in ascending order, dictionaries in the order of their keys; nothing for a single value.
  static func elements(_ collection: Value, isSet: Bool = false) -> [Value] {
    switch collection {
    case .list(let values): isSet ? values.sorted { $0.compareInSortOrder($1) < 0 } : values
    case .dictionary(let entries): sortedKeys(entries).map { entries[$0] ?? .null }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link: []
    }
  }

  static func keys(_ collection: Value) -> [Value] {
    if case .dictionary(let entries) = collection { sortedKeys(entries).map { .string($0) } } else { [] }
  }

  private static func sortedKeys(_ entries: [String: Value]) -> [String] {
    entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The one element that a selector names; null when the collection has none, or the selector names many.
  static func select(_ selector: ResolvedPath.Selector, in collection: Value) -> Value {
    switch selector {
    case .index(let index): select(.index(index), in: collection).first ?? .null
    case .last: select(.last, in: collection).first ?? .null
    case .key(let key): select(.key(key), in: collection).first ?? .null
    case .all, .keys: .null
    }
  }

  /// The elements that a step selects in a nested collection; none when the step does not fit the value.
  static func select(_ step: ResolvedPath.MixedStep, in value: Value) -> [Value] {
    switch step {
    case .index(let index):
      if case .list(let values) = value, values.indices.contains(index) { [values[index]] } else { [] }
    case .last: if case .list(let values) = value { values.suffix(1) } else { [] }
    case .key(let key): if case .dictionary(let entries) = value { entries[key].map { [$0] } ?? [] } else { [] }
    case .all: elements(value)
    case .keys: keys(value)
    }
  }

  /// The bytes of a string or binary; 0 for everything else.
  static func byteLengthOrZero(_ value: Value) -> Value {
    let length = byteLength(value)
    return ValueComparison.isNull(length) ? .int(0) : length
  }

  /// The bytes of a string or binary; null for everything else.
  static func byteLength(_ value: Value) -> Value {
    switch value {
    case .string(let text): .int(Int64(text.utf8.count))
    case .data(let bytes): .int(Int64(bytes.count))
    case .null, .int, .bool, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link, .list, .dictionary:
      .null
    }
  }
}
