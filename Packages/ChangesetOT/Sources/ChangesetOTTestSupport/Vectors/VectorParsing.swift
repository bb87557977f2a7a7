import ByteCoding
import ChangesetOT
import DataModel

/// A vector file that does not follow its own conventions.
struct VectorFormatError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// Reads the logical notation of the vectors: schemas, rows and ops.
struct VectorParser {
  var classes: [String: ModelClass] = [:]

  /// Declares the classes of a schema.
  mutating func readSchema(_ json: JSONValue?) throws(VectorFormatError) {
    for (name, table) in json?.members ?? [] {
      var model: ModelClass
      if table["embedded"]?.bool == true {
        model = ModelClass(kind: .embedded, key: nil)
      } else {
        let type = table["pk_type"]?.string ?? "int"
        model = ModelClass(
          key: PrimaryKeyColumn(
            field: table["pk"]?.string ?? "_id", type: try keyType(type),
            isNullable: table["pk_nullable"]?.bool ?? type.hasSuffix("?")))
      }
      for (field, type) in table["fields"]?.members ?? [] { model.columns[field] = try column(type.string ?? "") }
      classes[name] = model
    }
  }

  func keyType(_ text: String) throws(VectorFormatError) -> ObjectKeyType {
    switch text.hasSuffix("?") ? String(text.dropLast()) : text {
    case "int": return .int
    case "string": return .string
    case "objectId", "objectid": return .objectId
    case "uuid": return .uuid
    default: throw VectorFormatError("key type \(text)")
    }
  }

  /// A type such as `int?`, `list<link<Item>>` or `dict<mixed>`.
  func column(_ text: String) throws(VectorFormatError) -> ModelColumn {
    for (prefix, kind) in [("list<", CollectionKind.list), ("set<", .set), ("dict<", .dictionary)]
    where text.hasPrefix(prefix) && text.hasSuffix(">") {
      var column = try column(String(text.dropFirst(prefix.count).dropLast()))
      column.collection = kind
      if column.type == .link { column.isNullable = kind == .dictionary }
      return column
    }
    for prefix in ["link<", "embedded<"] where text.hasPrefix(prefix) && text.hasSuffix(">") {
      return ModelColumn(
        .link, isNullable: true, linkTarget: String(text.dropFirst(prefix.count).dropLast()))
    }
    if text == "mixed" || text == "mixed?" { return .mixed }
    if text.hasSuffix("?") { return ModelColumn(try scalarType(String(text.dropLast())), isNullable: true) }
    return ModelColumn(try scalarType(text))
  }

  func scalarType(_ text: String) throws(VectorFormatError) -> PayloadType? {
    switch text {
    case "int": return .int
    case "bool": return .bool
    case "string": return .string
    case "data", "binary": return .data
    case "timestamp", "date": return .timestamp
    case "float": return .float
    case "double": return .double
    case "decimal", "decimal128": return .decimal128
    case "objectId", "objectid": return .objectId
    case "uuid": return .uuid
    case "link": return .link
    case "mixed": return nil
    default: throw VectorFormatError("type \(text)")
    }
  }

  /// The rows of a state.
  func state(_ json: JSONValue?) throws(VectorFormatError) -> ModelState {
    var state = ModelState()
    state.classes = classes
    for (name, table) in classes where table.kind != .embedded { state.objects[name] = [:] }
    for (name, rows) in json?.members ?? [] {
      guard let table = classes[name] else { throw VectorFormatError("class \(name) has rows and no schema") }
      let keyField = table.key?.field ?? "_id"
      for row in rows.elements ?? [] {
        guard let id = row[keyField] ?? row["_id"] else { throw VectorFormatError("a row of \(name) has no key") }
        var fields = state.initialFields(of: name)
        for (field, value) in row.members ?? [] where field != keyField && field != "_id" {
          guard let column = table.columns[field] else { throw VectorFormatError("no field \(name).\(field)") }
          fields[field] = try self.value(value, column, in: state)
        }
        state.objects[name]?[try key(id)] = fields
      }
    }
    return state
  }

  func key(_ json: JSONValue) throws(VectorFormatError) -> ObjectKey {
    switch json {
    case .null: return .null
    case .string(let value): return .string(value)
    case .number:
      guard let value = json.integer else { throw VectorFormatError("key \(json)") }
      return .int(value)
    case .bool, .array, .object: throw VectorFormatError("key \(json)")
    }
  }

  private func value(_ json: JSONValue, _ column: ModelColumn, in state: ModelState) throws(VectorFormatError)
    -> ModelValue
  {
    switch column.collection {
    case .list:
      var items: [ModelValue] = []
      for item in json.elements ?? [] { items.append(try value(item, column.element, in: state)) }
      return .list(items)
    case .dictionary:
      return .dictionary(try entries(json["$dict"], column.element, in: state))
    case .set:
      var values: Set<Payload> = []
      for item in json["$set"]?.elements ?? json.elements ?? [] { values.insert(try payload(item, column.element)) }
      return .set(values)
    case .single: break
    }
    if let fields = json["$object"]?.members {
      let target = column.linkTarget ?? ""
      var result = state.initialFields(of: target)
      for (field, inner) in fields {
        guard let innerColumn = classes[target]?.columns[field] else {
          throw VectorFormatError("no \(target).\(field)")
        }
        result[field] = try value(inner, innerColumn, in: state)
      }
      return .object(result)
    }
    if let entries = json["$dict"] { return .dictionary(try self.entries(entries, .mixed, in: state)) }
    if let elements = json.elements {
      var items: [ModelValue] = []
      for item in elements { items.append(try value(item, .mixed, in: state)) }
      return .list(items)
    }
    return .scalar(try payload(json, column))
  }

  private func entries(_ json: JSONValue?, _ column: ModelColumn, in state: ModelState) throws(VectorFormatError)
    -> [String: ModelValue]
  {
    var result: [String: ModelValue] = [:]
    for (name, entry) in json?.members ?? [] { result[name] = try value(entry, column, in: state) }
    return result
  }

  /// An integer, unless the column or the notation of the number makes it a float or a double.
  private func number(_ text: String, _ type: PayloadType?) throws(VectorFormatError) -> Payload {
    guard let value = Double(text) else { throw VectorFormatError("number \(text)") }
    if type == .float { return .float(Float(value).bitPattern) }
    if type != .double, let integer = Int64(text) { return .int(integer) }
    return .double(value.bitPattern)
  }

  func payload(_ json: JSONValue, _ column: ModelColumn?) throws(VectorFormatError) -> Payload {
    switch json {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .number(let text): return try number(text, column?.type)
    case .string(let value): return .string(value)
    case .object: break
    case .array: throw VectorFormatError("a list is not a payload")
    }
    if json["$erased"] != nil { return .erased }
    if let kind = json["$new"]?.string {
      switch kind {
      case "object": return .objectValue
      case "list": return .list
      case "dictionary": return .dictionary
      default: throw VectorFormatError("$new \(kind)")
      }
    }
    if let link = (json["$link"] ?? json["$unresolved"])?.elements, link.count == 2, let table = link[0].string {
      return .link(ObjectReference(className: table, key: try key(link[1])))
    }
    throw VectorFormatError("payload \(json)")
  }
}
