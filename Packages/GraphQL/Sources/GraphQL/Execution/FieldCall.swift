import Synchronization

/// One field of a selection, its fragments merged and its arguments coerced, as resolvers get it.
public final class FieldCall: Sendable {
  /// The name in the response.
  public let responseKey: String
  /// The name of the field.
  public let name: String
  /// The object type that it is a field of.
  public let parentType: String
  /// The definition of the field.
  public let definition: FieldDefinition
  /// The coerced arguments; those that were not given and have no default are missing.
  public let arguments: [String: GraphQLValue]
  /// The field as written, once per place that selects it.
  public let nodes: [Field]

  /// The error of arguments that could not be coerced.
  let argumentError: GraphQLError?
  /// `"key":`, ready to be written.
  let keyBytes: [UInt8]
  let leaf: LeafKind
  let type: TypeReference
  let isNonNull: Bool
  let selection: CallSelection
  private let children = Mutex<[String: [FieldCall]]>([:])

  init(
    responseKey: String, parentType: String, definition: FieldDefinition, nodes: [Field], selection: CallSelection
  ) {
    self.responseKey = responseKey
    self.parentType = parentType
    self.definition = definition
    self.nodes = nodes
    self.selection = selection
    name = definition.name.text
    var writer = JSONWriter()
    writer.write(responseKey)
    writer.raw(":")
    keyBytes = writer.bytes
    type = definition.type
    isNonNull = definition.type.isNonNull
    leaf = LeafKind(definition.type.name.text, selection.schema)
    do {
      arguments = try selection.arguments(of: definition, nodes)
      argumentError = nil
    } catch {
      arguments = [:]
      argumentError = error
    }
  }

  /// The fields selected below this one on objects of a type, in the order of the response; none for leaves.
  ///
  /// - Complexity: O(selections) at the first call for a type, O(1) later. Any thread.
  public func fields(on objectType: String) -> [FieldCall] {
    if let known = children.withLock({ $0[objectType] }) { return known }
    let collected = selection.collect(nodes.compactMap(\.selectionSet), on: objectType)
    return children.withLock { children in
      if let known = children[objectType] { return known }
      children[objectType] = collected
      return collected
    }
  }

  /// Where the field stands in the document.
  var locations: [SourceLocation] { nodes.map { selection.source.location(of: $0.offset) } }
}

/// The rules by which values of a leaf type are written.
enum LeafKind: Sendable {
  case int, float, string, boolean, id
  case custom(ScalarType)
  case enumeration(Set<String>)
  case composite

  init(_ name: String, _ schema: GraphQLSchema) {
    guard let type = schema.type(named: name), type.kind.isLeaf else {
      self = .composite
      return
    }
    switch (type.kind, name) {
    case (.enumeration, _): self = .enumeration(Set(type.values.map(\.name.text)))
    case (_, "Int"): self = .int
    case (_, "Float"): self = .float
    case (_, "String"): self = .string
    case (_, "Boolean"): self = .boolean
    case (_, "ID"): self = .id
    default: self = .custom(schema.scalars[name] ?? ScalarType())
    }
  }

  /// The value to write; nil when the type does not have it.
  func coerce(_ value: ResolvedValue) -> ResolvedValue? {
    switch self {
    case .int: return ScalarType.int.output(value)
    case .float: return ScalarType.float.output(value)
    case .string: return ScalarType.string.output(value)
    case .boolean: return ScalarType.boolean.output(value)
    case .id: return ScalarType.id.output(value)
    case .custom(let scalar): return scalar.output(value)
    case .enumeration(let words):
      guard case .string(let word) = value, words.contains(word) else { return nil }
      return value
    case .composite: return nil
    }
  }
}
