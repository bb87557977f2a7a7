/// The definitions that every schema has: scalars, directives, and the types of introspection.
enum BuiltIn {
  static let document: [GraphQLDocument.Definition] = (try? GraphQLDocument(parsing: text).definitions) ?? []

  static let types: [TypeDefinition] = document.compactMap { if case .type(let type) = $0 { type } else { nil } }
  static let directives: [DirectiveDefinition] = document.compactMap {
    if case .directive(let directive) = $0 { directive } else { nil }
  }

  static let typeNames = Set(types.map(\.name.text))
  static let directiveNames = Set(directives.map(\.name.text))

  /// Scalars stand first, so that a schema shows only those that it uses.
  static let scalarNames: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

  private static let text = #"""
    "Whole numbers of 32 bits with a sign."
    scalar Int
    "Numbers of double precision as IEEE 754 specifies them."
    scalar Float
    "Texts of Unicode characters."
    scalar String
    "`true` or `false`."
    scalar Boolean
    "A unique key, not meant for people; written as a text, read from a text or an integer."
    scalar ID

    "Includes the field or the fragment only when the argument is true."
    directive @include("Included when true." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Leaves the field or the fragment out when the argument is true."
    directive @skip("Left out when true." if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
    "Marks what is no longer to be used."
    directive @deprecated(
      "Why, and what to use in its place; in the formatting of CommonMark."
      reason: String! = "No longer supported"
    ) on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
    "Names the specification of a scalar."
    directive @specifiedBy("The address of the specification." url: String!) on SCALAR
    "Exactly one field of the input object is to be given."
    directive @oneOf on INPUT_OBJECT

    "The capabilities of a service: its types, its directives and the roots of its operations."
    type __Schema {
      description: String
      "All types."
      types: [__Type!]!
      "The root of queries."
      queryType: __Type!
      "The root of mutations, if there are any."
      mutationType: __Type
      "The root of subscriptions, if there are any."
      subscriptionType: __Type
      "All directives."
      directives: [__Directive!]!
    }
    "A type. Which fields have values depends on its kind."
    type __Type {
      kind: __TypeKind!
      name: String
      description: String
      specifiedByURL: String
      fields(includeDeprecated: Boolean! = false): [__Field!]
      interfaces: [__Type!]
      possibleTypes: [__Type!]
      enumValues(includeDeprecated: Boolean! = false): [__EnumValue!]
      inputFields(includeDeprecated: Boolean! = false): [__InputValue!]
      ofType: __Type
      isOneOf: Boolean
    }
    "The kinds of types."
    enum __TypeKind {
      "A leaf."
      SCALAR
      "`fields` and `interfaces` have values."
      OBJECT
      "`fields`, `interfaces` and `possibleTypes` have values."
      INTERFACE
      "`possibleTypes` has a value."
      UNION
      "`enumValues` has a value."
      ENUM
      "`inputFields` has a value."
      INPUT_OBJECT
      "`ofType` is the type of the elements."
      LIST
      "`ofType` is the type with null."
      NON_NULL
    }
    "A field of an object or an interface."
    type __Field {
      name: String!
      description: String
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
      type: __Type!
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "An argument of a field or a directive, or a field of an input object."
    type __InputValue {
      name: String!
      description: String
      type: __Type!
      "The default value as a document writes it."
      defaultValue: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "A word of an enumeration."
    type __EnumValue {
      name: String!
      description: String
      isDeprecated: Boolean!
      deprecationReason: String
    }
    "A directive of documents."
    type __Directive {
      name: String!
      description: String
      isRepeatable: Boolean!
      locations: [__DirectiveLocation!]!
      args(includeDeprecated: Boolean! = false): [__InputValue!]!
    }
    "A place where a directive may stand."
    enum __DirectiveLocation {
      QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION
      SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT
      INPUT_FIELD_DEFINITION
    }
    """#
}

extension [Directive] {
  /// The reason of `@deprecated`; nil when the directive is missing.
  var deprecationReason: String? {
    guard let directive = first(named: "deprecated") else { return nil }
    if case .string(let reason)? = directive.arguments.value(named: "reason")?.kind { return reason.value }
    return "No longer supported"
  }
}
