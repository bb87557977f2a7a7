/// The roots of a schema: `schema { query: Query }`.
public struct SchemaDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The directives.
  public var directives: [Directive]
  /// The root types by kind of operation.
  public var roots: [Root]
  /// True for `extend schema`.
  public var isExtension: Bool
  /// Where it begins, its description not counted.
  public var offset: SourceOffset

  /// The root type of one kind of operation.
  public struct Root: Sendable {
    /// The kind.
    public var kind: OperationKind
    /// The name of the type.
    public var type: Name
    /// Where the entry begins.
    public var offset: SourceOffset
  }
}

/// A directive of a schema: `directive @tag(name: String!) repeatable on OBJECT`.
public struct DirectiveDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The name without its sign.
  public var name: Name
  /// The arguments.
  public var arguments: [InputValueDefinition]
  /// Whether it may stand twice at one place.
  public var isRepeatable: Bool
  /// Where it may stand.
  public var locations: [DirectiveLocation]
  /// Where the definition begins, its description not counted.
  public var offset: SourceOffset
}

/// The places where directives stand, with their names in documents.
public enum DirectiveLocation: String, Sendable, CaseIterable {
  /// A query.
  case query = "QUERY"
  /// A mutation.
  case mutation = "MUTATION"
  /// A subscription.
  case subscription = "SUBSCRIPTION"
  /// A field of a selection.
  case field = "FIELD"
  /// A fragment.
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  /// The use of a fragment.
  case fragmentSpread = "FRAGMENT_SPREAD"
  /// A fragment without a name.
  case inlineFragment = "INLINE_FRAGMENT"
  /// A variable.
  case variableDefinition = "VARIABLE_DEFINITION"
  /// The roots of a schema.
  case schema = "SCHEMA"
  /// A scalar type.
  case scalar = "SCALAR"
  /// An object type.
  case object = "OBJECT"
  /// A field of an object or an interface.
  case fieldDefinition = "FIELD_DEFINITION"
  /// An argument of a field or a directive.
  case argumentDefinition = "ARGUMENT_DEFINITION"
  /// An interface.
  case interface = "INTERFACE"
  /// A union.
  case union = "UNION"
  /// An enumeration.
  case enumeration = "ENUM"
  /// A word of an enumeration.
  case enumValue = "ENUM_VALUE"
  /// An input object.
  case inputObject = "INPUT_OBJECT"
  /// A field of an input object.
  case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
}
