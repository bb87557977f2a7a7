/// A step that the matches go through; steps apply in the order written.
public enum QueryClause: Hashable, Sendable {
  /// Orders by the first key, then the second, and so on. Stable.
  case sort([SortKey])
  /// Keeps the first object for each combination of values.
  case distinct([QueryPath])
  /// Keeps the first objects.
  case limit(Int)
  /// Names backlinks whose objects a sync server sends along. Never changes the result.
  case include([QueryPath])
}

/// One key of a sort.
public struct SortKey: Hashable, Sendable {
  /// A path of single links that ends in one value.
  public var path: QueryPath
  /// Whether lesser values come first.
  public var isAscending: Bool

  /// A key by a path.
  public init(_ path: QueryPath, ascending: Bool = true) {
    self.path = path
    self.isAscending = ascending
  }
}
