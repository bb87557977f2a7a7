/// A document as written: operations and fragments, definitions of a schema, or both.
///
///     let document = try GraphQLDocument(parsing: "{ dog { name } }")
///     print(document)      // { dog { name } }, one field per line
public struct GraphQLDocument: Sendable {
  /// The text that it was read from.
  public let source: SourceText
  /// The definitions in their order.
  public var definitions: [Definition]

  /// One definition.
  public enum Definition: Sendable {
    /// A query, a mutation or a subscription.
    case operation(OperationDefinition)
    /// A fragment.
    case fragment(FragmentDefinition)
    /// The definition or the extension of the schema.
    case schema(SchemaDefinition)
    /// The definition or the extension of a type.
    case type(TypeDefinition)
    /// The definition of a directive.
    case directive(DirectiveDefinition)
  }

  /// The operations in their order.
  public var operations: [OperationDefinition] {
    definitions.compactMap { if case .operation(let operation) = $0 { operation } else { nil } }
  }

  /// The fragments in their order.
  public var fragments: [FragmentDefinition] {
    definitions.compactMap { if case .fragment(let fragment) = $0 { fragment } else { nil } }
  }
}

/// A name and where it stands. Names are equal when their texts are.
public struct Name: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The characters.
  public var text: String
  /// Where the name begins.
  public var offset: SourceOffset

  /// A name.
  public init(_ text: String, at offset: SourceOffset = .none) {
    self.text = text
    self.offset = offset
  }

  /// A name outside of any document.
  public init(stringLiteral value: String) { self.init(value) }

  /// Whether the texts are equal.
  public static func == (left: Name, right: Name) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A string literal: a description, or the value of an argument.
public struct StringLiteral: Sendable {
  /// The value, escapes decoded.
  public var value: String
  /// True when it is written in three quotes.
  public var isBlock: Bool
  /// Where it begins.
  public var offset: SourceOffset

  /// A literal.
  public init(_ value: String, isBlock: Bool = false, at offset: SourceOffset = .none) {
    self.value = value
    self.isBlock = isBlock
    self.offset = offset
  }
}

extension GraphQLDocument {
  /// The kind of the operation of a name, or of the only one; nil when there is no such operation.
  public func kind(ofOperation name: String?) -> OperationKind? {
    guard let name else { return operations.count == 1 ? operations.first?.kind : nil }
    return operations.first { $0.name?.text == name }?.kind
  }
}

extension StringLiteral: ExpressibleByStringLiteral {
  /// A string made in code.
  public init(stringLiteral value: String) { self.init(value) }
}
