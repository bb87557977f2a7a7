import ByteCoding
import DataModel
import GraphQL
import QueryLanguage

/// Which objects of a collection the arguments of its field ask for, and in which order.
///
/// Without arguments it is everything, and costs nothing.
struct CollectionSelection {
  private let type: ClassModel
  private let reading: RealmReading
  /// Nil for every object in the order of the collection.
  private let query: ParsedQuery?
  private let arguments: [QueryArgument]
  private let skip: Int
  private let take: Int?

  /// - Throws: `GraphQLError` for arguments that are no query over the class.
  init(_ call: FieldCall, _ type: ClassModel, _ reading: RealmReading) throws {
    try self.init(call.arguments, type, reading)
  }

  init(_ given: [String: GraphQLValue], _ type: ClassModel, _ reading: RealmReading) throws {
    self.type = type
    self.reading = reading
    skip = try Self.number("skip", given) ?? 0
    take = try Self.number("take", given)
    arguments = try Self.arguments(given["arguments"])
    var query: ParsedQuery?
    if let text = given["query"]?.string { query = try Self.parsed(text) }
    if let key = given["after"], key != .null {
      query = try Self.after(key, type, given, query ?? ParsedQuery())
    } else if let property = given["sortBy"]?.string {
      query = (query ?? ParsedQuery()).sorted(
        by: Self.storedPath(property, type), ascending: given["descending"]?.bool != true)
    }
    self.query = query
  }

  private static func number(_ name: String, _ given: [String: GraphQLValue]) throws -> Int? {
    guard let number = given[name]?.int else { return nil }
    guard number >= 0 else { throw GraphQLError("\"\(name)\" is not negative.", code: "BAD_ARGUMENT") }
    return Int(number)
  }

  private static func parsed(_ text: String) throws -> ParsedQuery {
    do { return try ParsedQuery(parsing: text) } catch { throw Self.failure(error) }
  }

  private static func arguments(_ given: GraphQLValue?) throws -> [QueryArgument] {
    let values = given?.elements ?? (given.map { $0 == .null ? [] : [$0] } ?? [])
    return try values.map { value in
      guard let value = RealmInput.mixed(value) else {
        throw GraphQLError("A value of \"arguments\" has no meaning in a query.", code: "BAD_ARGUMENT")
      }
      if case .list(let elements) = value { return .list(elements) }
      return .value(value)
    }
  }

  /// The path with the names of the realm in place of those of the GraphQL schema.
  private static func storedPath(_ path: String, _ type: ClassModel) -> String {
    var parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let field = type.field(named: parts[0]) { parts[0] = field.property.name }
    return parts.joined(separator: ".")
  }

  /// The objects behind a primary key, in its order.
  private static func after(
    _ given: GraphQLValue, _ type: ClassModel, _ arguments: [String: GraphQLValue], _ query: ParsedQuery
  ) throws -> ParsedQuery {
    guard let key = type.key else { throw GraphQLError("The class has no primary key.", code: "BAD_ARGUMENT") }
    let order = arguments["sortBy"]?.string ?? key.name
    guard storedPath(order, type) == key.property.name, query.clauses.isEmpty else {
      throw GraphQLError("\"after\" goes by the primary key: leave \"sortBy\" and SORT away.", code: "BAD_ARGUMENT")
    }
    guard let value = RealmInput.scalar(given, key.property.type) else {
      throw GraphQLError("\"after\" is no primary key of the class.", code: "BAD_ARGUMENT")
    }
    let isDescending = arguments["descending"]?.bool == true
    let bound = QueryExpression.property(key.property.name).compared(isDescending ? .less : .greater, to: .value(value))
    var query = query
    query.predicate = query.predicate == .always(true) ? bound : query.predicate && bound
    return query.sorted(by: key.property.name, ascending: !isDescending)
  }

  /// A query's refusal as an error of its field.
  static func failure(_ error: QueryError) -> GraphQLError {
    var message = error.text.isEmpty ? error.message : "line \(error.line), column \(error.column): \(error.message)"
    if let hint = error.hint { message += " (\(hint))" }
    return GraphQLError(
      message, code: "BAD_QUERY",
      extensions: [
        .init("line", .number(String(error.line))), .init("column", .number(String(error.column))),
      ])
  }

  /// The canonical text of the query, arguments in place.
  func text() throws -> String { try plan(query ?? ParsedQuery()).text }

  // MARK: Rows

  /// The rows of the class that are asked for.
  func rows() throws -> [QueryRow] {
    let readable = reading.readable
    guard readable.mayQuery(type.className) else {
      throw GraphQLError("Queries of class \"\(type.className)\" are not granted.", code: "FORBIDDEN")
    }
    if !readable.asksLists(of: type.className) {
      var whole = query ?? ParsedQuery()
      if let take { whole = whole.limited(to: min(skip, 1 << 40) + take) }
      return Array(try plan(whole).rows(in: reading.source).dropFirst(skip))
    }
    return window(try readableRows(query ?? ParsedQuery()))
  }

  /// The number of objects, whatever `skip` and `take` leave out.
  func count() throws -> Int {
    guard reading.readable.mayQuery(type.className) else { return 0 }
    if reading.readable.asksLists(of: type.className) { return try readableRows(query ?? ParsedQuery()).count }
    return try plan(query ?? ParsedQuery()).count(in: reading.source)
  }

  /// The rows of a collection that are asked for, and the number of all that match.
  func rows(among rows: [QueryRow]) throws -> (rows: [QueryRow], count: Int) {
    guard let query else { return (window(rows), rows.count) }
    let found = try plan(query).rows(in: reading.source, among: rows)
    return (window(found), found.count)
  }

  /// The rows of a query in which objects that the user may not read count nowhere: neither in a LIMIT nor in a DISTINCT.
  private func readableRows(_ query: ParsedQuery) throws -> [QueryRow] {
    let plan = try plan(query)
    let condition = query.clauses.isEmpty ? plan : try self.plan(ParsedQuery(query.predicate))
    let rows = try condition.rows(in: reading.source).filter { try reading.readable.isReadable($0, of: type.className) }
    return query.clauses.isEmpty ? rows : try plan.rows(in: reading.source, among: rows)
  }

  private func window(_ rows: [QueryRow]) -> [QueryRow] {
    if skip == 0, take == nil { return rows }
    return Array(rows.dropFirst(skip).prefix(take ?? .max))
  }

  private func plan(_ query: ParsedQuery) throws -> QueryPlan {
    let plan: QueryPlan
    do {
      plan = try QueryPlan(
        query, className: type.className, schema: QuerySchema(reading.source.schema), arguments: arguments)
    } catch { throw Self.failure(error) }
    if let reason = reading.readable.refusal(of: plan) { throw GraphQLError(reason, code: "FORBIDDEN") }
    return plan
  }
}
