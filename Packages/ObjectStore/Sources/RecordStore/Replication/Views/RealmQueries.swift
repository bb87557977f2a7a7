import ByteCoding
import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

/// The queries of a subscription set, made ready for the classes of a realm and the roles of a user: which objects a client
/// with a view holds.
///
///     let queries = try RealmQueries(QuerySet(json: #"{"Person":"age > 3"}"#), readView)
///     queries["Person"]?.selects([.int(4)])      // true
///
/// A class that the realm does not have yet selects nothing: clients subscribe before their classes are there. Nor does a class
/// that the queries do not fit, once it is there.
struct RealmQueries: Sendable {
  /// The classes that a view of the platform's query-based sync holds without a subscription, as far as the user may read
  /// them; permission objects come with the lists that hold them.
  static let impliedClasses: [PermissionClass] = [.realm, .class, .role, .user]

  /// The queries of one class.
  struct Selection: Sendable {
    let layout: ClassLayout
    let queries: [KeyOrderedQuery]
    /// Whether the class was not asked for: reading is enough.
    let isImplied: Bool
    /// The classes whose objects INCLUDE brings in, by themselves or for their parts.
    let included: Set<String>
    /// The one condition that the object alone decides; nil when others have a say.
    let condition: ClassQuery?
  }

  let set: QuerySet
  /// The permissions of the user; nil when the realm has none in force, or no user is to be bounded.
  let permissions: ViewPermissions?
  /// Whether the view holds what its objects link to.
  let followsLinks: Bool
  /// The queries by class, but for those whose class the user may not subscribe to.
  private(set) var selections: [String: Selection] = [:]
  /// The classes whose objects are held, or not, because of other objects.
  private(set) var dependent: Set<String> = []
  /// The classes whose queries ask about objects that the user may not read, with the reasons: these select nothing.
  private(set) var forbidden: [String: String] = [:]
  /// The classes whose queries name what the class does not have, or do not fit it otherwise, with the reasons and the places of
  /// the mistakes: these select nothing.
  private(set) var unfit: [String: String] = [:]

  /// The queries of a set.
  ///
  /// - Parameter withheld: classes that select nothing, whether their queries fit or not.
  /// - Throws: `QueryRefusal` for text that is no set of queries.
  init(
    _ set: QuerySet, _ readView: ReadView, permissions: ViewPermissions? = nil, followsLinks: Bool = false,
    withholding withheld: Set<String> = []
  ) throws {
    self.set = set
    self.permissions = permissions
    self.followsLinks = followsLinks
    let document: JSONValue
    do { document = try JSONValue(parsing: set.json) } catch {
      throw QueryRefusal(query: set.version, message: "the queries are no JSON: byte \(error.position)")
    }
    guard let members = document.members else {
      throw QueryRefusal(query: set.version, message: "the queries are no JSON object")
    }
    guard !members.isEmpty || followsLinks else { return }
    let schema = QuerySchema(readView.schema)
    for (className, value) in members {
      guard let texts = value.string.map({ [$0] }) ?? value.elements?.compactMap(\.string), !texts.isEmpty else {
        throw QueryRefusal(query: set.version, message: "class '\(className)': the query is no text")
      }
      if !withheld.contains(className) { add(texts, className, readView, schema, isImplied: false) }
    }
    if followsLinks {
      for kind in Self.impliedClasses {
        add(["TRUEPREDICATE"], kind.rawValue, readView, schema, isImplied: true)
      }
    }
    findDependent(in: readView.catalog)
  }

  /// Checks that every query can be served, as a set must that a client asks for.
  ///
  /// - Throws: `QueryRefusal` naming the class, the reason and the place of the first query that cannot.
  func checkIsServable() throws {
    let reasons = unfit.merging(forbidden) { reason, _ in reason }
    if let (className, reason) = reasons.min(by: { $0.key < $1.key }) {
      throw QueryRefusal(query: set.version, message: "class '\(className)': \(reason)")
    }
  }

  private mutating func add(
    _ texts: [String], _ className: String, _ readView: ReadView, _ schema: QuerySchema, isImplied: Bool
  ) {
    guard let layout = readView.catalog[className] else { return }
    do throws(QueryError) {
      guard layout.kind == .topLevel else {
        throw QueryError(.invalidExpression, "its objects are \(layout.kind) and cannot be subscribed to")
      }
      var queries: [KeyOrderedQuery] = []
      for text in texts {
        queries.append(
          try KeyOrderedQuery(try ParsedQuery(parsing: text), className: className, schema: schema))
      }
      if let permissions, !(isImplied ? permissions.mayRead(className) : permissions.maySubscribe(to: className)) {
        return
      }
      let refusals = queries.compactMap {
        permissions?.refusal(of: $0.plan, readView.catalog, followsLinks: followsLinks)
      }
      if let reason = refusals.last {
        forbidden[className] = reason
        return
      }
      let lists = permissions.map { $0.asksLists ? $0.accessLists(of: layout) : [] } ?? []
      let condition =
        queries.count == 1
        ? queries.first.flatMap {
          ClassQuery($0.plan, layout, schema.schema, lists: lists)
        } : nil
      let included = readView.catalog.holders(of: queries.flatMap(\.plan.classesIncluded))
      selections[className] = Selection(
        layout: layout, queries: queries, isImplied: isImplied, included: included, condition: condition)
    } catch {
      unfit[className] = "\(error)"
    }
  }

  /// The condition of a class; nil when the set selects nothing of it, or when other objects have a say.
  subscript(className: String) -> ClassQuery? {
    dependent.contains(className) ? nil : selections[className]?.condition
  }

  // MARK: Dependence

  /// Everything that some selected object can link to, and what is selected by other than its own fields.
  private mutating func findDependent(in catalog: Catalog) {
    for (name, selection) in selections {
      if selection.condition == nil { dependent.insert(name) }
      dependent.formUnion(selection.included)
    }
    guard followsLinks else { return }
    var seen = selections.values.reduce(into: Set(selections.keys)) { $0.formUnion($1.included) }
    var pending = Array(seen)
    while let name = pending.popLast() {
      for target in catalog.linkTargets(of: name) {
        // Of these every object is held anyway.
        let isWhole = selections[target]?.isImplied ?? false
        if catalog[target]?.kind == .topLevel, !isWhole { dependent.insert(target) }
        if seen.insert(target).inserted { pending.append(target) }
      }
    }
  }
}

extension Catalog {
  /// The classes that objects of a class can link to, embedded ones included.
  func linkTargets(of className: String) -> [String] {
    guard let layout = self[className] else { return [] }
    var targets: [String] = []
    for field in layout.fields where field.canLink {
      if field.isFixedLink {
        if let target = field.target { targets.append(target) }
      } else {
        return classes.filter { $0.kind == .topLevel }.map(\.name)
      }
    }
    return targets
  }
}
