import DataModel

/// A query made ready for one class of one schema: names looked up, types checked, arguments in place.
///
///     let query = try ParsedQuery(parsing: "age > $0 SORT(name ASC)")
///     let plan = try QueryPlan(query, className: "Person", schema: QuerySchema(schema), arguments: [18])
///     try plan.count(in: source)      // 3
///     try plan.rows(in: source)       // row keys, ordered by name
///
/// A plan is a value without ties to a store: keep it, send it to other threads, run it over any snapshot whose
/// schema equals the one it was made for.
public struct QueryPlan: Sendable {
  /// The class whose objects are asked for.
  public let className: String
  /// The query with literals in the place of arguments.
  public let query: ParsedQuery
  /// Every property that the query reads.
  public let propertiesRead: Set<PropertyReference>
  /// Whether the outcome for an object depends on other objects.
  public let followsLinks: Bool
  /// Whether the query counts links from everywhere (`@links.@count`), whose properties ``propertiesRead`` cannot name.
  public let countsAllLinks: Bool
  /// The classes at whose objects the condition looks because they link to others (`@links.Class.property`).
  public let originsRead: Set<String>
  /// The classes of whose objects properties are read behind links, the own class where a path leads back to it.
  public let classesReached: Set<String>
  let schema: QuerySchema
  let predicate: PlanPredicate
  let stages: [Stage]
  let includes: [ResolvedPath]

  /// One clause, resolved. Adjacent sorts are one.
  enum Stage: Sendable {
    case sort([ResolvedSortKey])
    case distinct([ResolvedPath])
    case limit(Int)
  }

  /// Resolves a query against one class.
  ///
  /// - Parameters:
  ///   - className: a class of the schema.
  ///   - arguments: the values of `$0`, `$1`, …; more than the query uses is fine.
  ///   - dialect: whose comparisons the query means.
  /// - Throws: ``QueryError`` of every category but `syntax`. Nothing of it depends on objects: a query fails for an
  ///   empty class as for a full one, and running a plan never fails but for the store.
  /// - Complexity: O(*n*) for *n* nodes of the query and elements of its arguments.
  public init(
    _ query: ParsedQuery, className: String, schema: QuerySchema, arguments: [QueryArgument] = [],
    dialect: QueryDialect = .realm
  ) throws(QueryError) {
    do throws(QueryError) {
      var resolver = Resolver(schema: schema, arguments: arguments, className: className, dialect: dialect)
      guard schema.objectSchema(className) != nil else { throw resolver.unknownClass(className, at: .none) }
      predicate = Planner.optimized(try resolver.predicate(query.predicate))
      originsRead = resolver.originsRead
      (stages, includes) = try resolver.clauses(query.clauses)
      self.className = className
      self.schema = schema
      // Without arguments nothing is left to bind: the resolver has refused a query that uses one.
      self.query = arguments.isEmpty ? query : try query.bound(to: arguments)
      propertiesRead = resolver.properties
      followsLinks = resolver.followsLinks
      countsAllLinks = resolver.countsAllLinks
      classesReached = resolver.classesReached
    } catch {
      var placed = error
      placed.text = query.source.text
      throw placed
    }
  }

  /// The classes whose objects the query reads, its own among them.
  public var classesRead: Set<String> { Set(propertiesRead.map(\.className)).union([className]) }

  /// The classes whose objects INCLUDE brings in at backlink steps.
  public var classesIncluded: Set<String> {
    Set(
      includes.flatMap(\.hops).compactMap { hop in
        if case .backlinks(let origin, _) = hop { origin } else { nil }
      })
  }

  /// The greatest number of objects that the query can give; nil without a LIMIT.
  public var limit: Int? {
    stages.reduce(nil) { least, stage in
      if case .limit(let count) = stage { min(least ?? count, count) } else { least }
    }
  }

  /// Whether the query has clauses that sort the matches, drop duplicates or cut them off.
  public var hasOrderingClauses: Bool { !stages.isEmpty }

  /// The canonical text of the query, arguments in place.
  public var text: String { query.description }
}

/// One key of a sort, resolved.
struct ResolvedSortKey: Sendable {
  var path: ResolvedPath
  var isAscending: Bool
}
