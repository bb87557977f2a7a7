/// The kind of the keys of an ordered index.
public enum IndexKind: UInt8, Sendable, Hashable {
  /// Keys are `Int64`, ordered as numbers: integers, backlinks (the target's row key), booleans.
  case int = 1
  /// Keys are byte strings, ordered as `memcmp` orders them.
  case bytes = 2
}

/// One ordered index as a snapshot or write transaction sees it.
public struct IndexDefinition: Hashable, Sendable {
  /// Unique within the store, for ever.
  public let id: IndexID
  /// Unique among the indexes of its table.
  public let name: String
  /// The kind of the keys.
  public let kind: IndexKind
}
