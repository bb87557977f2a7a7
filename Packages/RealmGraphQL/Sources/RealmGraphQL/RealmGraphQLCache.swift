public import GraphQL
public import RecordStore
import Synchronization

/// The GraphQL schemas of one realm: one for each version of its schema, and for each set of classes that users may read.
///
/// It belongs to one open file: what is made anew at a path has another file, and another cache. Safe to use from any thread.
public final class RealmGraphQLCache: Sendable {
  /// Made anew when so many are kept.
  private static let most = 16

  private struct Key: Hashable {
    var revision: UInt64
    /// The classes that are left out.
    var hidden: Set<String>
  }

  private let options: RealmGraphQLOptions
  private let limits: GraphQLLimits
  private let known = Mutex<[Key: RealmGraphQL]>([:])

  /// An empty cache.
  public init(options: RealmGraphQLOptions = RealmGraphQLOptions(), limits: GraphQLLimits = GraphQLLimits()) {
    self.options = options
    self.limits = limits
  }

  /// The GraphQL schema of what a user may read: classes without `read` are not in it, so neither introspection nor
  /// suggestions tell of them.
  ///
  /// - Throws: `GraphQLSchemaError`, as `RealmGraphQL`.
  /// - Complexity: O(classes) for one that is known.
  public func graphQL(for readable: ReadableContents) throws -> RealmGraphQL {
    var schema = readable.contents.schema
    var key = Key(revision: readable.contents.schemaRevision, hidden: [])
    if readable.isBounded {
      key.hidden = Set(
        schema.objectSchema.lazy.filter { $0.kind != .embedded && !readable.mayRead($0.className) }.map(\.className))
    }
    if let graphQL = known.withLock({ $0[key] }) { return graphQL }
    schema.objectSchema.removeAll { key.hidden.contains($0.className) }
    let made = try RealmGraphQL(schema: schema, options: options, limits: limits)
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[key] = made
    }
    return made
  }

  /// Forgets all of them.
  public func clear() { known.withLock { $0 = [:] } }
}
