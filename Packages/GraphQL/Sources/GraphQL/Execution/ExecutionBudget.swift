/// The caller's hook into a running request: asked before each column, and once per 1,024 objects that are written.
///
/// Clocks belong to the caller: a deadline is a budget that answers an error after it.
///
///     ExecutionBudget { progress in clock.now > deadline ? GraphQLError("Too slow.", code: "TIMEOUT") : nil }
public struct ExecutionBudget: Sendable {
  /// The state of a request so far.
  public struct Progress: Sendable {
    /// The objects that resolvers have given.
    public var rows: Int
    /// The bytes of data that were written.
    public var bytes: Int
  }

  /// The error that ends the request; nil lets it go on. Called on the thread that runs the request.
  public var refusal: @Sendable (Progress) -> GraphQLError?

  /// A budget.
  public init(_ refusal: @escaping @Sendable (Progress) -> GraphQLError?) { self.refusal = refusal }

  /// No bound but those of ``GraphQLLimits``.
  public static let unlimited = ExecutionBudget { _ in nil }
}
