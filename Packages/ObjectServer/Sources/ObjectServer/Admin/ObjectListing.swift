import ByteCoding
import DataExchange
import DataModel
import QueryLanguage
import RecordStore

/// Answers listings of objects, of realms on a server and of files alike.
struct ObjectListing {
  /// The longest text of a value in characters, unless whole values are asked for.
  static let longestValue = 1_000
  /// The bytes of values behind which an answer takes no further object.
  static let mostBytes = 8 << 20

  private let arguments: AdminArguments

  /// A listing as a request asks for it.
  init(_ arguments: AdminArguments) { self.arguments = arguments }

  /// The page that is asked for; one with large values ends early, with one object at least.
  ///
  /// - Parameter known: remembers the orders of queries, under the name of the realm.
  /// - Throws: ``APIError`` with 400 for a query that cannot be read, with its column, or that would tell of objects that the
  ///   user may not read; with 404 for an unknown class.
  func answer(_ readable: ReadableContents, known: (cache: PositionCache, realm: String)?) throws -> JSONValue {
    let contents = readable.contents
    let version = ("version", JSONValue.integer(Int(clamping: contents.version)))
    if let known = arguments.integer("unless"), known == Int64(clamping: contents.version) { return .object([version]) }
    let type = try AdminOperation.type(arguments["class"], in: contents.schema)
    guard readable.mayRead(type.className) else { throw APIError.denied("you may not read \(type.className)") }
    let (start, count) = (
      Int(clamping: arguments.integer("skip") ?? 0), Int(clamping: arguments.integer("take") ?? 100)
    )
    let order = try translatingQueryErrors { try positions(type, in: readable, known) }
    let texts = FieldText(contents.schema)
    let isWhole = arguments.flag("whole")
    var objects: [JSONValue] = []
    var bytes = 0
    try contents.forEachObject(at: order, from: start, count: count) { record in
      objects.append(object(record, of: type, texts, isWhole: isWhole, &bytes))
      return bytes < Self.mostBytes
    }
    return .object([version, ("total", .integer(order.count)), ("objects", .array(objects))])
  }

  private func positions(
    _ type: ObjectSchema, in readable: ReadableContents, _ known: (cache: PositionCache, realm: String)?
  ) throws -> ObjectPositions {
    let query = try query(over: type)
    guard !readable.isBounded else { return try bounded(type, query, readable) }
    let contents = readable.contents
    guard let known else { return try contents.positions(of: type.className, matching: query) }
    let key = PositionCache.Key(
      realm: known.realm, version: contents.version, className: type.className, query: query)
    return try known.cache.positions(key) { try contents.positions(of: type.className, matching: query) }
  }

  /// The objects that a user with bounds may read.
  private func bounded(_ type: ObjectSchema, _ query: String?, _ readable: ReadableContents) throws -> ObjectPositions {
    let schema = QuerySchema(readable.contents.schema)
    let plan = try QueryPlan(
      ParsedQuery(parsing: query ?? "TRUEPREDICATE"), className: type.className, schema: schema)
    if let refusal = readable.refusal(of: plan) { throw APIError.denied(refusal) }
    let rows = try plan.rows(in: readable.source)
    return ObjectPositions(
      className: type.className, rows: try rows.filter { try readable.isReadable($0, of: type.className) })
  }

  private func query(over type: ObjectSchema) throws(APIError) -> String? {
    let query = arguments.parameters["query"].flatMap { $0.isEmpty ? nil : $0 }
    guard let name = arguments.parameters["sort"], !name.isEmpty else { return query }
    guard type[name] != nil else {
      throw APIError(400, .invalidParameter, "\(type.className) has no property '\(name)'")
    }
    return "\(query ?? "TRUEPREDICATE") SORT(\(name) \(arguments.flag("descending") ? "DESC" : "ASC"))"
  }

  /// An object with its values; their bytes are added to `bytes`.
  private func object(
    _ record: ObjectRecord, of type: ObjectSchema, _ texts: FieldText, isWhole: Bool, _ bytes: inout Int
  ) -> JSONValue {
    var values: [(key: String, value: JSONValue)] = []
    var cut: [(key: String, value: JSONValue)] = []
    for property in type.properties where property.type != .linkingObjects {
      guard let item = record.fields[property.name], let text = texts.text(item, property) else {
        values.append((property.name, .null))
        continue
      }
      // Characters are counted only where the bytes say that there may be too many.
      let isLong = !isWhole && text.utf8.count > Self.longestValue && text.count > Self.longestValue
      let shown = isLong ? String(text.prefix(Self.longestValue)) : text
      bytes += shown.utf8.count
      values.append((property.name, .string(shown)))
      if isLong { cut.append((property.name, .integer(text.count))) }
    }
    return .object(
      [
        ("key", record.key == .null ? .null : .string(texts.text(record.key))), ("values", .object(values)),
      ]
        + (cut.isEmpty ? [] : [("cut", .object(cut))]))
  }

  /// Runs a query; a mistake in its text is a bad parameter, with its position.
  private func translatingQueryErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as QueryError {
      throw APIError(400, .invalidParameter, "column \(error.column): \(error.message)")
    }
  }
}
