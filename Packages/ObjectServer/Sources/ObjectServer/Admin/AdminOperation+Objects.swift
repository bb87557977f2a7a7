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

  private static let objectSchema = AdminSchema.object([
    .init("key", .any, "A text; null for the null key."), .init("values", .map(.any), "Texts, or null."),
    .init("cut", .map(.integer()), isRequired: false, "The lengths in characters of values that are cut."),
  ])

  private static let listObjects = AdminOperation(
    name: "listObjects", method: "GET", path: "realm/objects",
    summary:
      "Objects of a class from a position on: all of them, or those that match a query. For every user who may read.",
    parameters: [
      pathParameter, .query("class", .string(maximum: 64), isRequired: true, "The name of the class."),
      .query("query", .string(maximum: 65_536), "A text of the query language."),
      .query("sort", .string(maximum: 64), "A property by which the objects are sorted."),
      .query("descending", .boolean, "Whether the largest comes first."),
      .query("skip", .integer(0 ... .max), "How many objects are left out."),
      .query(
        "take", .integer(0...1_000),
        "The most objects of the answer, which ends behind 8 MiB of values; 100 unless given."),
      .query(
        "unless", .integer(0 ... .max), "The version of which everything is known: the answer is the version alone."),
      .query("whole", .boolean, "Whether long values come whole."),
      .query(
        "at", .integer(0 ... .max),
        "A version of the history: the objects as they were after it, for administrators, where the history is whole."),
    ],
    answer: .object([
      .init("version", .integer(), "Counts the commits of the realm."),
      .init("total", .integer(), isRequired: false, "The objects that match."),
      .init("objects", .array(objectSchema), isRequired: false),
    ]),
    refusals: [404, 409, 501], access: .unbounded,
    work: reading { call, path, contents in
      let known = call.integer("at") == nil ? (call.services.positions, path.description) : nil
      return try ObjectListing(call.arguments).answer(contents, known: known)
    })

  private static let modelClasses = AdminOperation(
    name: "modelClasses", method: "GET", path: "realm/models",
    summary:
      "The model classes of a realm as source text for the Realm SDK of a language. For every user who may read.",
    parameters: [
      pathParameter,
      .query("language", .choice(ModelGenerator.Language.allCases.map(\.rawValue)), isRequired: true, "The language."),
    ],
    answer: .object([.init("source", .string())]), refusals: [404, 409, 501], access: .unbounded,
    work: reading { call, _, contents in
      .object([("source", .string(try models(call.arguments, of: contents.contents.schema)))])
    })

  /// The model classes in the language that a request names.
  ///
  /// - Throws: ``APIError`` with 400
  static func models(_ arguments: AdminArguments, of schema: Schema) throws(APIError) -> String {
    guard let language = ModelGenerator.Language(rawValue: arguments["language"]) else {
      throw APIError.badRequest("no language")
    }
    return ModelGenerator(language).code(for: schema)
  }

  /// - Throws: ``APIError`` with 404
  static func type(_ name: String, in schema: Schema) throws(APIError) -> ObjectSchema {
    guard let type = schema[name] else { throw APIError(404, .notFound, "the realm has no class '\(name)'") }
    return type
  }
}
