import ByteCoding
import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine

/// The queries of a subscription set, made ready for the classes of a realm: which objects a client with a view holds.
///
///     let queries = try RealmQueries(QuerySet(json: #"{"Person":"age > 3"}"#), readView)
///     queries["Person"]?.selects([[.int(4)]])      // [true]
///
/// A class that the realm does not have yet selects nothing: clients subscribe before their classes are there.
struct RealmQueries: Sendable {
  let set: QuerySet
  private var classes: [String: ClassQuery] = [:]

  /// - Throws: `QueryRefusal` naming the class, the reason and the place of the first query that cannot be served.
  init(_ set: QuerySet, _ readView: ReadView) throws {
    self.set = set
    let document: JSONValue
    do { document = try JSONValue(parsing: set.json) } catch {
      throw QueryRefusal(query: set.version, message: "the queries are no JSON: byte \(error.position)")
    }
    guard let members = document.members else {
      throw QueryRefusal(query: set.version, message: "the queries are no JSON object")
    }
    guard !members.isEmpty else { return }
    let schema = QuerySchema(readView.schema)
    for (className, value) in members {
      guard let text = value.string else {
        throw QueryRefusal(query: set.version, message: "class '\(className)': the query is no text")
      }
      guard let layout = readView.catalog[className] else { continue }
      do throws(QueryError) {
        classes[className] = try ClassQuery(text, layout, schema)
      } catch {
        throw QueryRefusal(query: set.version, message: "class '\(className)': \(error)")
      }
    }
  }

  /// The query of a class; nil when the set selects nothing of it.
  subscript(className: String) -> ClassQuery? { classes[className] }

  /// The queries by class, in the order of names.
  var all: [ClassQuery] { classes.sorted { $0.key < $1.key }.map(\.value) }
}

/// The query of one class: a condition over the object's own single fields, so that the object alone decides.
///
/// A filter that depends on the user is to be another condition beside ``plan``, of the same kind: everything that asks
/// whether an object is in a view asks ``selects(_:)`` or ``rows(in:)``.
struct ClassQuery: Sendable {
  let layout: ClassLayout
  /// The text of the query.
  let text: String
  /// The fields that the query reads, in the order of ``selects(_:)``.
  let fields: [FieldLayout]
  private let plan: QueryPlan
  private let filter: ObjectFilter
  private let own: ObjectSchema
  /// The position in ``fields`` of each property up to the last that is read; nil for those that are not read.
  private let positions: [Int?]

  init(_ text: String, _ layout: ClassLayout, _ schema: QuerySchema) throws(QueryError) {
    let query = try ParsedQuery(parsing: text)
    do throws(QueryError) {
      guard layout.kind == .topLevel else {
        throw QueryError(.invalidExpression, "its objects are \(layout.kind) and cannot be subscribed to")
      }
      try OwnFieldCheck(layout).check(query)
    } catch {
      var placed = error
      placed.text = text
      throw placed
    }
    plan = try QueryPlan(query, className: layout.name, schema: schema)
    guard let own = schema.schema[layout.name], let filter = ObjectFilter(plan) else {
      throw QueryError(.invalidExpression, "it depends on other objects")
    }
    self.own = own
    self.filter = filter
    self.layout = layout
    self.text = text
    let read = Set(plan.propertiesRead.map(\.property))
    var fields: [FieldLayout] = []
    var positions: [Int?] = []
    for property in own.properties {
      guard read.contains(property.name), let field = layout.field(property.columnName) else {
        positions.append(nil)
        continue
      }
      positions.append(fields.count)
      fields.append(field)
    }
    self.fields = fields
    self.positions = Array(positions.prefix((positions.lastIndex { $0 != nil } ?? -1) + 1))
  }

  /// Whether a field decides about the query.
  func reads(_ field: String) -> Bool { fields.contains { $0.name == field } }

  /// Whether objects are selected, by the values of ``fields``. O(*n*).
  func selects(_ objects: [[Value]]) throws -> [Bool] {
    try objects.map { read in
      let values = positions.map { position in
        position.flatMap { read.indices.contains($0) ? read[$0] : nil } ?? .null
      }
      return try filter.holds(for: ObjectValues(values, of: own))
    }
  }

  /// The rows that are selected, ascending.
  ///
  /// - Complexity: O(*n*) in the rows of the class, or in the candidates of an index.
  func rows(in source: ReadViewQuerySource) throws -> [RowKey] {
    try plan.rows(in: source).map { RowKey($0) }.sorted()
  }
}
