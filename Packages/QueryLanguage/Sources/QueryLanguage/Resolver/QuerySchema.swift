public import DataModel

/// A property of a class, by their names.
public struct PropertyReference: Hashable, Sendable {
  /// The class.
  public var className: String
  /// The property's name in code.
  public var property: String

  /// A reference by names; neither needs to exist.
  public init(className: String, property: String) {
    self.className = className
    self.property = property
  }
}

/// The classes that queries are resolved against, with full-text properties and aliases, which a plain schema lacks.
public struct QuerySchema: Hashable, Sendable {
  /// The classes.
  public var schema: Schema
  /// Properties that take TEXT.
  public var fullText: Set<PropertyReference>
  /// Other names for properties and paths, looked up before the properties themselves: an alias may stand for a
  /// path (`owners` for `@links.Person.dogs`) or for another alias.
  public var aliases: [PropertyReference: QueryPath]
  private var positions: [String: Int]

  /// A schema for queries. O(*n*) for *n* classes.
  public init(
    _ schema: Schema, fullText: Set<PropertyReference> = [], aliases: [PropertyReference: QueryPath] = [:]
  ) {
    self.schema = schema
    self.fullText = fullText
    self.aliases = aliases
    positions = [:]
    for (position, objectSchema) in schema.objectSchema.enumerated() { positions[objectSchema.className] = position }
  }

  /// The class called `name`.
  func objectSchema(_ name: String) -> ObjectSchema? { positions[name].map { schema.objectSchema[$0] } }

  /// Position and declaration of a property: public names first, then stored names.
  func property(_ name: String, of className: String) -> (position: Int, declaration: Property)? {
    guard let properties = objectSchema(className)?.properties else { return nil }
    let position = properties.firstIndex { $0.name == name } ?? properties.firstIndex { $0.columnName == name }
    return position.map { ($0, properties[$0]) }
  }
}
