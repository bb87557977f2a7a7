/// The kinds of types, with their names in introspection.
public enum TypeKind: String, Sendable, CaseIterable {
  /// A leaf.
  case scalar = "SCALAR"
  /// Fields with values.
  case object = "OBJECT"
  /// Fields that several objects share.
  case interface = "INTERFACE"
  /// One of several objects.
  case union = "UNION"
  /// One of several words.
  case enumeration = "ENUM"
  /// Fields of an argument.
  case inputObject = "INPUT_OBJECT"

  /// Whether values of the kind have selections.
  public var isComposite: Bool { self == .object || self == .interface || self == .union }
  /// Whether the kind is one of several objects.
  public var isAbstract: Bool { self == .interface || self == .union }
  /// Whether values of the kind are written as they are.
  public var isLeaf: Bool { self == .scalar || self == .enumeration }
  /// Whether arguments may have the kind.
  public var isInput: Bool { isLeaf || self == .inputObject }
}

/// A type: as written in a document, and as a schema holds it. Parts that its kind does not have are empty.
public struct TypeDefinition: Sendable {
  /// The kind.
  public var kind: TypeKind
  /// The text before it.
  public var description: StringLiteral?
  /// The name.
  public var name: Name
  /// The directives.
  public var directives: [Directive]
  /// The interfaces of an object or an interface.
  public var interfaces: [Name]
  /// The fields of an object or an interface.
  public var fields: [FieldDefinition]
  /// The members of a union.
  public var members: [Name]
  /// The values of an enumeration.
  public var values: [EnumValueDefinition]
  /// The fields of an input object.
  public var inputFields: [InputValueDefinition]
  /// True for `extend …`.
  public var isExtension: Bool
  /// Where it begins, its description not counted.
  public var offset: SourceOffset

  /// A type.
  public init(
    _ kind: TypeKind, _ name: Name, description: StringLiteral? = nil, directives: [Directive] = [],
    interfaces: [Name] = [], fields: [FieldDefinition] = [], members: [Name] = [], values: [EnumValueDefinition] = [],
    inputFields: [InputValueDefinition] = [], isExtension: Bool = false, at offset: SourceOffset = .none
  ) {
    self.kind = kind
    self.description = description
    self.name = name
    self.directives = directives
    self.interfaces = interfaces
    self.fields = fields
    self.members = members
    self.values = values
    self.inputFields = inputFields
    self.isExtension = isExtension
    self.offset = offset
  }

  /// Whether exactly one field of the input object is to be given.
  public var isOneOf: Bool { kind == .inputObject && directives.first(named: "oneOf") != nil }
}

/// A field of an object or an interface.
public struct FieldDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The name.
  public var name: Name
  /// The arguments.
  public var arguments: [InputValueDefinition]
  /// The type.
  public var type: TypeReference
  /// The directives.
  public var directives: [Directive]

  /// A field.
  public init(
    _ name: Name, _ type: TypeReference, arguments: [InputValueDefinition] = [], description: StringLiteral? = nil,
    directives: [Directive] = []
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.type = type
    self.directives = directives
  }
}

/// An argument of a field or a directive, or a field of an input object.
public struct InputValueDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The name.
  public var name: Name
  /// The type.
  public var type: TypeReference
  /// The value when none is given.
  public var defaultValue: ValueLiteral?
  /// The directives.
  public var directives: [Directive]

  /// An argument or a field.
  public init(
    _ name: Name, _ type: TypeReference, defaultValue: ValueLiteral? = nil, description: StringLiteral? = nil,
    directives: [Directive] = []
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
  }

  /// Whether a value has to be given: the type has no null, and there is no default.
  public var isRequired: Bool { type.isNonNull && defaultValue == nil }
}

/// A word of an enumeration.
public struct EnumValueDefinition: Sendable {
  /// The text before it.
  public var description: StringLiteral?
  /// The word.
  public var name: Name
  /// The directives.
  public var directives: [Directive]

  /// A word.
  public init(_ name: Name, description: StringLiteral? = nil, directives: [Directive] = []) {
    self.description = description
    self.name = name
    self.directives = directives
  }
}
