/// The objects that the root fields of one request are asked of.
public struct GraphQLRoots: Sendable {
  private let query: any ObjectBatch
  private let mutation: (any ObjectBatch)?

  /// Roots that answer field by field.
  public init(query: any GraphQLObject, mutation: (any GraphQLObject)? = nil) {
    self.query = ObjectRun(objects: [query])
    self.mutation = mutation.map { ObjectRun(objects: [$0]) }
  }

  /// Roots that answer by columns, each a batch of one object.
  public init(query: any ObjectBatch, mutation: (any ObjectBatch)? = nil) {
    self.query = query
    self.mutation = mutation
  }

  func batch(for kind: OperationKind) throws(GraphQLRequestError) -> any ObjectBatch {
    switch kind {
    case .query: return query
    case .mutation:
      guard let mutation else { throw GraphQLRequestError("Mutations are not available here.") }
      return mutation
    case .subscription: throw GraphQLRequestError("A subscription needs a connection that stays open.")
    }
  }
}
