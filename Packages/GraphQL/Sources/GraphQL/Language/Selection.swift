/// The selections between two braces; there may be none.
public struct SelectionSet: Sendable {
  /// The selections in their order.
  public var selections: [Selection]
  /// Where the opening brace stands; names the set within its document.
  public var offset: SourceOffset
}

/// One entry of a selection set.
public enum Selection: Sendable {
  /// A field.
  case field(Field)
  /// `...F`.
  case spread(FragmentSpread)
  /// `... on Dog { name }`.
  case inline(InlineFragment)

  /// The directives of the entry.
  var directives: [Directive] {
    switch self {
    case .field(let field): field.directives
    case .spread(let spread): spread.directives
    case .inline(let fragment): fragment.directives
    }
  }
}

/// A field: `alias: name(argument: 1) @skip(if: $no) { … }`.
public struct Field: Sendable {
  /// The name in the response, where it differs.
  public var alias: Name?
  /// The name.
  public var name: Name
  /// The arguments as written.
  public var arguments: [Argument]
  /// The directives.
  public var directives: [Directive]
  /// The fields of the objects below.
  public var selectionSet: SelectionSet?

  /// The alias, or else the name.
  public var responseKey: String { (alias ?? name).text }
  /// Where the field begins; names it within its document.
  public var offset: SourceOffset { (alias ?? name).offset }
}

/// The use of a fragment.
public struct FragmentSpread: Sendable {
  /// The name of the fragment.
  public var name: Name
  /// The directives.
  public var directives: [Directive]
  /// Where the three dots stand.
  public var offset: SourceOffset
}

/// A fragment without a name.
public struct InlineFragment: Sendable {
  /// The type that it applies to; nil for the type around it.
  public var typeCondition: Name?
  /// The directives.
  public var directives: [Directive]
  /// The fields.
  public var selectionSet: SelectionSet
  /// Where the three dots stand.
  public var offset: SourceOffset
}

/// An argument as written: `take: 10`.
public struct Argument: Sendable {
  /// The name.
  public var name: Name
  /// The value.
  public var value: ValueLiteral

  /// An argument.
  public init(_ name: Name, _ value: ValueLiteral) {
    self.name = name
    self.value = value
  }
}

/// A directive as written: `@include(if: $yes)`.
public struct Directive: Sendable {
  /// The name without its sign.
  public var name: Name
  /// The arguments.
  public var arguments: [Argument]
  /// Where the sign stands.
  public var offset: SourceOffset

  /// A directive.
  public init(_ name: Name, arguments: [Argument] = [], at offset: SourceOffset = .none) {
    self.name = name
    self.arguments = arguments
    self.offset = offset
  }
}

extension [Directive] {
  /// The first directive of a name.
  func first(named name: String) -> Directive? { first { $0.name.text == name } }
}

extension [Argument] {
  /// The value of the first argument of a name.
  func value(named name: String) -> ValueLiteral? { first { $0.name.text == name }?.value }
}
