import DataModel
import QueryLanguage
public import RecordStore

/// The query of a subscription: a class with a condition, and the clauses after it. A sync client makes it of results,
/// text or a closure, and ``checked(in:)`` refuses what the server could not read.
///
///     let query = try SubscriptionQuery(Dog.self, where: "age < %@", [3])
///     try query.checked(in: realm.file).query            // age < 3
public struct SubscriptionQuery: Sendable {
  private let type: ObjectBase.Type
  private let query: ParsedQuery

  /// All objects of a class.
  public init<T: ObjectBase>(_ type: T.Type) {
    self.type = type
    query = ParsedQuery()
  }

  /// The objects of a class for which a text holds, with arguments for `%@`, `%K`, `%d` and `$0`.
  ///
  /// - Throws: ``RecordStoreError`` with code `subscriptionFailed` and the position of the mistake.
  public init<T: ObjectBase>(_ type: T.Type, where format: String, _ args: [Any]) throws {
    self.type = type
    do {
      let arguments = args.map { QueryArgument(literal: $0) }
      let written = try ParsedQuery(valueFormat: format, arguments: arguments)
      var bound = try written.bound(to: arguments)
      bound.source = written.source
      query = bound
    } catch { throw Self.refusal(of: type, "\(error)") }
  }

  /// The objects of a class for which a condition holds. The compiler checks names and types.
  public init<T: ObjectBase & RealmCollectionValue>(_ type: T.Type, _ isIncluded: (Query<T>) -> Query<Bool>) {
    self.type = type
    query = ParsedQuery(isIncluded(Query<T>()).predicate)
  }

  /// The query of results.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of objects, in the order of the results; nil for all.
  ///   - linking: key paths that end in a `LinkingObjects` property, whose objects come along.
  /// - Throws: ``RecordStoreError`` with code `subscriptionFailed` for results that are none of a whole class, and for
  ///   filters of what `distinct` has left.
  public init<T>(_ results: Results<T>, limit: Int? = nil, includingLinkingObjects linking: [String] = []) throws {
    guard case .table(let access) = results.source.base else {
      throw RecordStoreError(
        .subscriptionFailed, "Only results of a whole class can be subscribed to; use `realm.objects`.")
    }
    type = access.binding.type
    var query = ParsedQuery()
    for (position, stage) in results.source.stages.enumerated() {
      guard position == 0, case .query(let only) = stage else {
        throw Self.refusal(of: type, "a subscription filters first, then drops duplicates")
      }
      query = only
      // Sorted results add a condition that always holds.
      if case .and(let parts) = only.predicate {
        let conditions = parts.filter { $0 != .always(true) }
        if conditions.count < 2 {
          query.predicate = conditions.first ?? .always(true)
        } else {
          query.predicate = .and(conditions)
        }
      }
    }
    if let limit {
      guard limit >= 0 else { throw Self.refusal(of: type, "a limit is not negative") }
      query = query.limited(to: limit)
    }
    if !linking.isEmpty {
      let schema = results.source.view.querySchema
      query.clauses.append(
        .include(linking.map { Self.path($0, of: access.layout.name, in: schema) }))
    }
    self.query = query
  }

  /// A key path with its linking objects as `@links` steps.
  private static func path(_ keyPath: String, of className: String, in schema: Schema) -> QueryPath {
    var name: String? = className
    return QueryPath(
      keyPath.split(separator: ".", omittingEmptySubsequences: false).map { step in
        let property = name.flatMap { schema[$0] }?[String(step)]
        name = property?.objectClassName
        if let origin = property?.originPropertyName, let from = property?.objectClassName {
          return QueryPath.Element(.backlinks(className: from, property: origin))
        }
        return QueryPath.Element(.name(String(step)))
      })
  }

  /// The subscription as it is stored and sent, with the query in canonical text, in which properties have their stored names.
  ///
  /// - Throws: ``RecordStoreError`` with code `subscriptionFailed`, the class, and the position of the mistake: names
  ///   that do not exist, types that cannot be compared.
  /// - Complexity: O(*n*) in the parts of the query and the classes of the realm.
  public func checked(in file: RealmFile) throws -> SubscriptionRecord {
    let declared = ModelSchema([type], isClosed: false).schema
    let stored = try file.latestReadView().schema.objectSchema.filter { declared[$0.className] == nil }
    let schema = Schema(declared.objectSchema + stored)
    let className = ClassBinding.of(type).declaration.schema.className
    do {
      let plan = try QueryPlan(query, className: className, schema: QuerySchema(schema))
      return SubscriptionRecord(
        className: className, query: try plan.storedQuery.canonical(), hasClauses: !plan.query.clauses.isEmpty)
    } catch { throw Self.refusal(of: type, "\(error)") }
  }

  private static func refusal(of type: ObjectBase.Type, _ reason: String) -> RecordStoreError {
    RecordStoreError(.subscriptionFailed, "Invalid subscription to '\(type.className())': \(reason)")
  }
}
