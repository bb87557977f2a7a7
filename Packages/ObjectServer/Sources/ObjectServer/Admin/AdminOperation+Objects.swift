import ByteCoding
import DataExchange
import DataModel
import Permissions
import QueryLanguage
import RecordStore

/// The objects of realms, as grids show them and editors change them. Values are the texts of `FieldText`: scalars and links are
/// plain, collections, embedded objects and mixed values are JSON, null is null; so no number loses a digit on its way.
extension AdminOperation {
  static let objects = [listObjects, writeObjects, modelClasses]

  /// The longest text of a value in characters, unless whole values are asked for.
  static let longestValue = 1_000

  private static let objectSchema = AdminSchema.object([
    .init("key", .string()), .init("values", .map(.any), "Texts, or null."),
    .init("cut", .map(.integer()), isRequired: false, "The lengths in characters of values that are cut."),
  ])

  private static let listObjects = AdminOperation(
    name: "listObjects", method: "GET", path: "realm/objects",
    summary: "Objects of a class from a position on: all of them, or those that match a query.",
    parameters: [
      pathParameter, .query("class", .string(maximum: 64), isRequired: true, "The name of the class."),
      .query("query", .string(maximum: 65_536), "A text of the query language."),
      .query("sort", .string(maximum: 64), "A property by which the objects are sorted."),
      .query("descending", .boolean, "Whether the largest comes first."),
      .query("skip", .integer(0 ... .max), "How many objects are left out."),
      .query("take", .integer(0...1_000), "The most objects of the answer; 100 unless given."),
      .query(
        "unless", .integer(0 ... .max), "The version of which everything is known: the answer is the version alone."),
      .query("whole", .boolean, "Whether long values come whole."),
    ],
    answer: .object([
      .init("version", .integer(), "Counts the commits of the realm."),
      .init("total", .integer(), isRequired: false, "The objects that match."),
      .init("objects", .array(objectSchema), isRequired: false),
    ]),
    refusals: [404, 501],
    work: .blocking(.administration) { call in
      let contents = try contents(of: call)
      let version = ("version", JSONValue.integer(Int(clamping: contents.version)))
      if let known = call.integer("unless"), known == Int64(clamping: contents.version) { return .object([version]) }
      let type = try type(call["class"], in: contents.schema)
      let page = try translatingQueryErrors {
        try contents.page(
          of: type.className, matching: try query(of: call, over: type),
          from: Int(clamping: call.integer("skip") ?? 0), count: Int(clamping: call.integer("take") ?? 100))
      }
      let texts = FieldText(contents.schema)
      let isWhole = call.parameters["whole"] == "true"
      return .object([
        version, ("total", .integer(page.total)),
        ("objects", .array(page.records.map { object($0, of: type, texts, isWhole: isWhole) })),
      ])
    })

  private static func query(of call: AdminCall, over type: ObjectSchema) throws(APIError) -> String? {
    let query = call.parameters["query"].flatMap { $0.isEmpty ? nil : $0 }
    guard let name = call.parameters["sort"], !name.isEmpty else { return query }
    guard type[name] != nil else {
      throw APIError(400, .invalidParameter, "\(type.className) has no property '\(name)'")
    }
    return "\(query ?? "TRUEPREDICATE") SORT(\(name) \(call.parameters["descending"] == "true" ? "DESC" : "ASC"))"
  }

  private static func object(
    _ record: ObjectRecord, of type: ObjectSchema, _ texts: FieldText, isWhole: Bool
  ) -> JSONValue {
    var values: [(key: String, value: JSONValue)] = []
    var cut: [(key: String, value: JSONValue)] = []
    for property in type.properties where property.type != .linkingObjects {
      guard let item = record.fields[property.name], let text = texts.text(item, property) else {
        values.append((property.name, .null))
        continue
      }
      // Characters are counted only where the bytes say that there may be too many.
      let isLong = !isWhole && text.utf8.count > longestValue && text.count > longestValue
      values.append((property.name, .string(isLong ? String(text.prefix(longestValue)) : text)))
      if isLong { cut.append((property.name, .integer(text.count))) }
    }
    return .object(
      [("key", .string(texts.text(record.key))), ("values", .object(values))]
        + (cut.isEmpty ? [] : [("cut", .object(cut))]))
  }

  private static let modelClasses = AdminOperation(
    name: "modelClasses", method: "GET", path: "realm/models",
    summary: "The model classes of a realm as source text for the Realm SDK of a language.",
    parameters: [
      pathParameter,
      .query("language", .choice(ModelGenerator.Language.allCases.map(\.rawValue)), isRequired: true, "The language."),
    ],
    answer: .object([.init("source", .string())]), refusals: [404, 501],
    work: .blocking(.administration) { call in
      guard let language = ModelGenerator.Language(rawValue: call["language"]) else {
        throw APIError.badRequest("no language")
      }
      return .object([("source", .string(ModelGenerator(language).code(for: try contents(of: call).schema)))])
    })

  /// The newest version of the realm that a call names.
  ///
  /// - Throws: ``APIError`` with 400, 404 or 501; ``ServerError``.
  private static func contents(of call: AdminCall) throws -> RealmContents {
    let path = try path(call["path"])
    guard try call.services.directory.facts(of: path).exists else {
      throw APIError(404, .notFound, "there is no realm at this path")
    }
    return try call.services.requiredFiles().contents(path)
  }

  /// - Throws: ``APIError`` with 404
  static func type(_ name: String, in schema: Schema) throws(APIError) -> ObjectSchema {
    guard let type = schema[name] else { throw APIError(404, .notFound, "the realm has no class '\(name)'") }
    return type
  }

  /// Runs a query; a mistake in its text is a bad parameter, with its position.
  private static func translatingQueryErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as QueryError {
      throw APIError(400, .invalidParameter, "column \(error.column): \(error.message)")
    }
  }
}
