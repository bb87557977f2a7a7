/// A decoded node that the cache may hold: a cluster, a page of a cluster map, index, list or map, a table.
public class CachedNode: @unchecked Sendable {
  // @unchecked: subclasses state their own argument; this class has no state.
  /// Its size in memory, in bytes, about.
  var byteCost: Int { 64 }
}
