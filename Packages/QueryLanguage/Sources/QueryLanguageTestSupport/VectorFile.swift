public import DataModel
public import Foundation
public import QueryLanguage

/// One file of query vectors: a schema, objects and queries with their expected outcome.
public struct VectorFile {
  /// The name of the file.
  public var name: String
  /// The classes.
  public var schema: QuerySchema
  /// The objects of each class, as JSON.
  public var data: [(className: String, objects: [[String: Any]])]
  /// The queries.
  public var vectors: [QueryVector]

  /// Reads a file.
  ///
  /// - Throws: the error of Foundation when the file cannot be read or is no JSON.
  public init(_ url: URL) throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    name = url.lastPathComponent
    let classes = (json["schema"] as? [String: Any])?["classes"] as? [[String: Any]] ?? []
    var fullText: Set<PropertyReference> = []
    let objectSchema = classes.map { declaration -> ObjectSchema in
      let className = declaration["name"] as? String ?? ""
      let properties = (declaration["properties"] as? [[String: Any]] ?? []).map { Self.property($0) }
      for property in declaration["properties"] as? [[String: Any]] ?? [] where property["fullText"] as? Bool == true {
        fullText.insert(PropertyReference(className: className, property: property["name"] as? String ?? ""))
      }
      return ObjectSchema(
        className: className, kind: declaration["embedded"] as? Bool == true ? .embedded : .topLevel,
        primaryKey: declaration["primaryKey"] as? String, properties: properties)
    }
    schema = QuerySchema(Schema(objectSchema), fullText: fullText)
    let objects = json["data"] as? [String: [[String: Any]]] ?? [:]
    data = objectSchema.map { ($0.className, objects[$0.className] ?? []) }
    vectors = (json["vectors"] as? [[String: Any]] ?? []).map { QueryVector($0, file: url.lastPathComponent) }
  }

  private static func property(_ json: [String: Any]) -> Property {
    let types: [String: PropertyType] = [
      "int": .int, "string": .string, "double": .double, "float": .float, "bool": .bool, "date": .date,
      "decimal": .decimal128, "binary": .data, "uuid": .UUID, "objectId": .objectId, "mixed": .any, "link": .object,
    ]
    let collections: [String: CollectionKind] = ["list": .list, "set": .set, "dictionary": .dictionary]
    return Property(
      name: json["name"] as? String ?? "", type: types[json["type"] as? String ?? ""] ?? .any,
      collection: collections[json["collection"] as? String ?? ""] ?? .single,
      objectClassName: json["target"] as? String, isOptional: json["optional"] as? Bool ?? false,
      isIndexed: json["type"] as? String == "string" || json["type"] as? String == "int")
  }

  /// The objects in a store in memory.
  public func source(_ presentation: MemorySource.Presentation = .init()) -> MemorySource {
    let source = MemorySource(schema: schema.schema, presentation: presentation)
    for (className, objects) in data {
      guard let declared = schema.schema[className] else { continue }
      for object in objects {
        var values: [String: Value] = [:]
        for property in declared.properties {
          guard let json = object[property.name] else { continue }
          values[property.name] = value(json, property, in: source)
        }
        source.add(className, values)
      }
    }
    return source
  }

  private func value(_ json: Any, _ property: Property, in source: MemorySource) -> Value {
    if property.type == .object, property.collection == .single, let object = json as? [String: Any],
      let target = property.objectClassName, schema.schema[target]?.kind == .embedded
    {
      var values: [String: Value] = [:]
      for inner in schema.schema[target]?.properties ?? [] {
        if let json = object[inner.name] { values[inner.name] = value(json, inner, in: source) }
      }
      guard let row = source.add(target, values), let key = source.memoryTable(target)?.objectKey(of: row) else {
        return .null
      }
      return .link(ObjectReference(className: target, key: key))
    }
    return VectorValue.value(json, type: property.type)
  }
}

/// One query with its expected outcome.
public struct QueryVector: CustomStringConvertible, Sendable {
  /// Unique within its file.
  public var id: String
  /// The name of the file.
  public var file: String
  /// The class asked for.
  public var className: String
  /// The text of the query.
  public var query: String
  /// The spelling of the text.
  public var dialect: QueryDialect
  /// The arguments.
  public var arguments: [QueryArgument]
  /// The primary keys found; nil when the query is refused.
  public var expect: [Value]?
  /// Whether the order of ``expect`` counts.
  public var isOrdered: Bool
  /// The canonical text, when the vector gives it.
  public var canonical: String?
  /// The category of the refusal; nil when the query runs.
  public var error: String?

  init(_ json: [String: Any], file: String) {
    id = json["id"] as? String ?? "?"
    self.file = file
    className = json["class"] as? String ?? ""
    query = json["query"] as? String ?? ""
    dialect = (json["dialect"] as? String).flatMap(QueryDialect.init(rawValue:)) ?? .realm
    arguments = (json["args"] as? [Any] ?? []).map { argument in
      if let list = argument as? [Any] { return .list(list.map { VectorValue.value($0, type: nil) }) }
      return .value(VectorValue.value(argument, type: nil))
    }
    expect = (json["expect"] as? [Any]).map { $0.map { VectorValue.value($0, type: nil) } }
    isOrdered = json["ordered"] as? Bool ?? false
    canonical = json["canonical"] as? String
    error = json["error"] as? String
  }

  /// File, id, class and text.
  public var description: String { "\(file) \(id) \(className): \(query)" }

  /// The query as written.
  ///
  /// - Throws: ``QueryError`` of the parser.
  public func parsed() throws -> ParsedQuery {
    dialect == .nspredicate
      ? try ParsedQuery(format: query, arguments: arguments) : try ParsedQuery(parsing: query, dialect: dialect)
  }
}

/// Values in the encoding of the vector files.
enum VectorValue {
  static func value(_ json: Any, type: PropertyType?) -> Value {
    switch json {
    case is NSNull: return .null
    case let list as [Any]: return .list(list.map { value($0, type: type) })
    case let object as [String: Any]: return tagged(object, type: type)
    case let text as String: return .string(text)
    case let number as NSNumber:
      if isBoolean(number) { return .bool(number.boolValue) }
      let isWhole = number.doubleValue == number.doubleValue.rounded() && !"\(number)".contains(".")
      if type == .double { return .double(number.doubleValue) }
      if type == .float { return .float(number.floatValue) }
      if type == .int { return .int(number.int64Value) }
      return isWhole && String(cString: number.objCType) != "d" ? .int(number.int64Value) : .double(number.doubleValue)
    default: return .null
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }

  private static func tagged(_ object: [String: Any], type: PropertyType?) -> Value {
    if let number = object["$double"] as? NSNumber { return .double(number.doubleValue) }
    if let number = object["$float"] as? NSNumber { return .float(number.floatValue) }
    if let text = object["$float"] as? String { return .float(Float(text) ?? .nan) }
    if let text = object["$dec"] as? String { return Decimal128(validating: text).map { .decimal128($0) } ?? .null }
    if let parts = object["$date"] as? [NSNumber], parts.count == 2 {
      return .timestamp(Timestamp(seconds: parts[0].int64Value, nanoseconds: parts[1].int32Value))
    }
    if let text = object["$bin"] as? String { return .data([UInt8](Data(base64Encoded: text) ?? Data())) }
    if let text = object["$oid"] as? String { return (try? ObjectId(string: text)).map { .objectId($0) } ?? .null }
    if let text = object["$uuid"] as? String { return UUID(uuidString: text).map { .uuid($0) } ?? .null }
    if let link = object["$link"] as? [Any], link.count == 2, let className = link[0] as? String {
      return .link(ObjectReference(className: className, key: ObjectKey(value(link[1], type: nil)) ?? .null))
    }
    if let set = object["$set"] as? [Any] { return .list(set.map { value($0, type: type) }) }
    if let entries = object["$dict"] as? [String: Any] {
      return .dictionary(entries.mapValues { value($0, type: type) })
    }
    return .null
  }
}
