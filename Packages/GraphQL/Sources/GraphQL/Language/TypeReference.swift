/// The type of a field, an argument or a variable: `Dog`, `[Dog]`, `Dog!`.
public indirect enum TypeReference: Hashable, Sendable {
  /// A type by its name.
  case named(Name)
  /// A list of elements.
  case list(TypeReference)
  /// A type without null. Never around another of its kind.
  case nonNull(TypeReference)

  /// The named type inside.
  public var name: Name {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.name
    }
  }

  /// True for a type without null.
  public var isNonNull: Bool { if case .nonNull = self { true } else { false } }

  /// The type with null.
  public var nullable: TypeReference { if case .nonNull(let inner) = self { inner } else { self } }

  /// The type of the elements, when this is a list, with null or without.
  public var element: TypeReference? { if case .list(let element) = nullable { element } else { nil } }
}

extension TypeReference: CustomStringConvertible, ExpressibleByStringLiteral {
  /// The notation of the language: `[Dog!]!`.
  public var description: String {
    switch self {
    case .named(let name): name.text
    case .list(let inner): "[\(inner)]"
    case .nonNull(let inner): "\(inner)!"
    }
  }

  /// A named type, with `!` behind it or not, for schemas made in code.
  public init(stringLiteral value: String) {
    self = value.hasSuffix("!") ? .nonNull(.named(Name(String(value.dropLast())))) : .named(Name(value))
  }
}
