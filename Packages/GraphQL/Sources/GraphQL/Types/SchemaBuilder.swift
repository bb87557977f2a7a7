extension GraphQLSchema {
  /// The schema of a text in the schema definition language.
  ///
  /// - Parameters:
  ///   - text: definitions and extensions. Without `schema { … }` the roots are `Query`, `Mutation`, `Subscription`.
  ///   - scalars: the rules of custom scalars by name; without a rule every value passes.
  /// - Throws: ``GraphQLSchemaError`` with every rule that is broken, each with its place, or with the syntax error.
  public convenience init(parsing text: String, scalars: [String: ScalarType] = [:]) throws(GraphQLSchemaError) {
    var limits = GraphQLLimits()
    limits.documentBytes = .max
    limits.tokens = .max
    let document: GraphQLDocument
    do { document = try GraphQLDocument(parsing: text, limits: limits) } catch {
      throw GraphQLSchemaError(errors: [error])
    }
    try self.init(document, scalars: scalars)
  }

  /// The schema of a document of definitions and extensions.
  ///
  /// - Throws: ``GraphQLSchemaError`` with every rule that is broken.
  public convenience init(
    _ document: GraphQLDocument, scalars: [String: ScalarType] = [:]
  ) throws(GraphQLSchemaError) {
    var builder = SchemaBuilder(source: document.source)
    builder.add(document.definitions)
    try self.init(builder, scalars: scalars)
  }

  /// The schema of types made in code.
  ///
  /// - Parameters:
  ///   - types: all types but the built-in ones.
  ///   - directives: directives beside the built-in ones.
  ///   - roots: the names of the root types.
  ///   - scalars: the rules of custom scalars by name.
  /// - Throws: ``GraphQLSchemaError`` with every rule that is broken; its errors have no places.
  public convenience init(
    types: [TypeDefinition], directives: [DirectiveDefinition] = [], roots: [OperationKind: String],
    description: StringLiteral? = nil, scalars: [String: ScalarType] = [:]
  ) throws(GraphQLSchemaError) {
    var builder = SchemaBuilder(source: SourceText(bytes: []))
    builder.add(types.map { .type($0) } + directives.map { .directive($0) })
    builder.schema = SchemaDefinition(
      description: description, directives: [],
      roots: OperationKind.allCases.compactMap { kind in
        roots[kind].map { SchemaDefinition.Root(kind: kind, type: Name($0), offset: .none) }
      }, isExtension: false, offset: .none)
    try self.init(builder, scalars: scalars)
  }

  private convenience init(_ builder: SchemaBuilder, scalars: [String: ScalarType]) throws(GraphQLSchemaError) {
    var builder = builder
    builder.merge()
    self.init(
      description: builder.schema?.description, types: builder.types + BuiltIn.types,
      directives: builder.directives + BuiltIn.directives.filter { !builder.directiveNames.contains($0.name.text) },
      roots: builder.roots, scalars: scalars)
    var check = SchemaCheck(schema: self, builder: builder)
    check.run()
    let errors = builder.errors + check.errors
    guard errors.isEmpty else { throw GraphQLSchemaError(errors: errors) }
  }
}

/// The rules that a schema breaks.
public struct GraphQLSchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One error per broken rule and place, at least one.
  public let errors: [GraphQLError]

  /// The errors, one per line.
  public var description: String { errors.map(\.description).joined(separator: "\n") }
}

/// Collects definitions and merges extensions into what they extend.
struct SchemaBuilder {
  let source: SourceText
  var schema: SchemaDefinition?
  private(set) var types: [TypeDefinition] = []
  private(set) var directives: [DirectiveDefinition] = []
  private(set) var errors: [GraphQLError] = []
  private var extensions: [TypeDefinition] = []
  private var schemaExtensions: [SchemaDefinition] = []

  init(source: SourceText) { self.source = source }

  var directiveNames: Set<String> { Set(directives.map(\.name.text)) }

  /// The root types: those of the schema definition, or else the types of the usual names.
  var roots: [OperationKind: String] {
    if let schema {
      return Dictionary(schema.roots.map { ($0.kind, $0.type.text) }, uniquingKeysWith: { first, _ in first })
    }
    let usual: [(OperationKind, String)] = [
      (.query, "Query"), (.mutation, "Mutation"), (.subscription, "Subscription"),
    ]
    let names = Set(types.map(\.name.text))
    return Dictionary(uniqueKeysWithValues: usual.filter { names.contains($0.1) })
  }

  mutating func fail(_ message: String, _ offsets: SourceOffset...) {
    errors.append(GraphQLError(message, locations: source.bytes.isEmpty ? [] : offsets.map(source.location)))
  }

  mutating func add(_ definitions: [GraphQLDocument.Definition]) {
    var typeOffsets: [String: SourceOffset] = [:]
    var directiveOffsets: [String: SourceOffset] = [:]
    for definition in definitions {
      switch definition {
      case .operation(let operation): fail("A schema holds no operations.", operation.offset)
      case .fragment(let fragment): fail("A schema holds no fragments.", fragment.offset)
      case .schema(let definition) where definition.isExtension: schemaExtensions.append(definition)
      case .schema(let definition):
        if schema != nil { fail("There is more than one schema definition.", definition.offset) }
        schema = schema ?? definition
      case .type(let type) where type.isExtension: extensions.append(type)
      case .type(let type):
        let name = type.name.text
        if let first = typeOffsets[name] {
          fail("There is more than one type named \"\(name)\".", first, type.name.offset)
        } else if BuiltIn.typeNames.contains(name) {
          // Repeating a built-in scalar is allowed and changes nothing; other built-in names are refused below.
          if !BuiltIn.scalarNames.contains(name) { fail("The type \"\(name)\" is built in.", type.name.offset) }
        } else {
          typeOffsets[name] = type.name.offset
          types.append(type)
        }
      case .directive(let directive):
        let name = directive.name.text
        if let first = directiveOffsets[name] {
          fail("There is more than one directive named \"@\(name)\".", first, directive.name.offset)
        } else {
          directiveOffsets[name] = directive.name.offset
          directives.append(directive)
        }
      }
    }
  }

  /// Puts the extensions into the definitions.
  mutating func merge() {
    for addition in schemaExtensions {
      if schema == nil {
        let implicit = roots.sorted { $0.key.rawValue < $1.key.rawValue }
        schema = SchemaDefinition(
          description: nil, directives: [],
          roots: implicit.map { .init(kind: $0.key, type: Name($0.value), offset: .none) }, isExtension: false,
          offset: addition.offset)
      }
      schema?.directives += addition.directives
      schema?.roots += addition.roots
    }
    let indexes = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($1.name.text, $0) })
    for addition in extensions {
      guard let index = indexes[addition.name.text] else {
        fail("The type \"\(addition.name.text)\" is extended but not defined.", addition.name.offset)
        continue
      }
      guard types[index].kind == addition.kind else {
        fail(
          "\"\(addition.name.text)\" is not extended as the kind that it is.", types[index].name.offset,
          addition.name.offset)
        continue
      }
      types[index].directives += addition.directives
      types[index].interfaces += addition.interfaces
      types[index].fields += addition.fields
      types[index].members += addition.members
      types[index].values += addition.values
      types[index].inputFields += addition.inputFields
    }
  }
}
