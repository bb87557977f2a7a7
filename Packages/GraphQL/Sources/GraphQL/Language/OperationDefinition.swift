/// The three kinds of operations.
public enum OperationKind: String, Sendable, CaseIterable {
  /// Reads.
  case query
  /// Writes, then reads; its root fields run one after the other.
  case mutation
  /// A stream of responses.
  case subscription
}

/// A query, a mutation or a subscription.
public struct OperationDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The kind.
  public var kind: OperationKind
  /// The name; nil for an anonymous operation.
  public var name: Name?
  /// The variables.
  public var variables: [VariableDefinition]
  /// The directives of the operation.
  public var directives: [Directive]
  /// The fields of the root.
  public var selectionSet: SelectionSet
  /// Where the operation begins, its description not counted.
  public var offset: SourceOffset
}

/// A variable of an operation: `$id: ID! = "1"`.
public struct VariableDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The name without its sign.
  public var name: Name
  /// The type of its values.
  public var type: TypeReference
  /// The value that it has when the request gives none.
  public var defaultValue: ValueLiteral?
  /// The directives.
  public var directives: [Directive]
  /// Where it begins.
  public var offset: SourceOffset
}

/// A fragment: `fragment F on Dog { name }`.
public struct FragmentDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The name.
  public var name: Name
  /// The type that it applies to.
  public var typeCondition: Name
  /// The directives.
  public var directives: [Directive]
  /// The fields.
  public var selectionSet: SelectionSet
  /// Where the fragment begins, its description not counted.
  public var offset: SourceOffset
}
