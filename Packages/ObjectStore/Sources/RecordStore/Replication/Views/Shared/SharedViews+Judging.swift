import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine
import SubscriptionMatching

/// Which views versions may concern.
extension SharedViews {
  /// Classes whose objects decide what users may read.
  private static let permissionClasses = Set(PermissionClass.allCases.map(\.rawValue))

  /// Judges the versions up to the newest.
  ///
  /// - Parameters:
  ///   - source: of the newest version.
  ///   - since: the version after which every version has its inverse.
  /// - Complexity: O(*n*) in the bytes of the versions and the values of their objects, and the work of the matcher; O(*v*)
  ///   in the views when classes, fields or permissions changed.
  mutating func judge(_ source: ViewSource, since: ServerVersion) throws {
    let end = source.state.current
    guard judged < end else { return }
    guard !isEmpty else { return begin(at: end) }
    let versions = Int64(judged.rawValue) + 1...Int64(end.rawValue)
    let items = try source.history.file.store.log(InverseLog.entries).entries(in: versions)
    let inverses = try items.map {
      (version: ServerVersion(UInt64($0.position)), inverse: try VersionInverse(decoding: $0.content))
    }
    past.add(inverses, bytes: items.reduce(0) { $0 + $1.content.count }, through: end)
    decoded = [:]
    try noteAuthors(of: versions, source)
    let isKnown = since <= judged
    judged = end
    let changes = CommitChanges(inverses)
    if revision != source.readView.catalog.revision || !isKnown {
      if !isKnown { past = RecentPast(after: end) }
      concernEveryView(versions)
      rebuild(in: source.readView)
    } else if changes.objects.contains(where: { Self.permissionClasses.contains($0.className) }) {
      concernEveryView(versions)
    } else {
      try match(changes, versions, in: source.readView)
    }
  }

  /// Begins to judge behind a version, when nobody watches yet.
  mutating func begin(at version: ServerVersion) {
    judged = version
    rolesStart = version
    past = RecentPast(after: version)
    decoded = [:]
    authors = [:]
    authorsStart = version
  }

  private mutating func noteAuthors(of versions: ClosedRange<Int64>, _ source: ViewSource) throws {
    var position = versions.lowerBound
    while position <= versions.upperBound {
      for entry in try source.history.logged(in: position...versions.upperBound, byteLimit: 1 << 20) {
        if entry.source > .server {
          authors[entry.source] = ServerVersion(UInt64(position))
          if watches(entry.source) { audience.insert(entry.source) }
        }
        position += 1
      }
    }
    if authors.count > Self.authorLimit {
      authors = [:]
      authorsStart = ServerVersion(UInt64(versions.upperBound))
    }
  }

  private mutating func concernEveryView(_ versions: ClosedRange<Int64>) {
    concernsEveryone = true
    rolesStart = judged
    for place in views.indices { views[place]?.concern(versions) }
  }

  private mutating func match(_ changes: CommitChanges, _ versions: ClosedRange<Int64>, in readView: ReadView) throws {
    var concerned = unmatched
    for className in Set(changes.objects.map(\.className)) { concerned.formUnion(dependents[className] ?? []) }
    var rest = changes.objects[...]
    while !rest.isEmpty {
      let asked = try rest.prefix(CommitChanges.chunk).compactMap { try changes.change(of: $0, in: readView) }
      rest = rest.dropFirst(CommitChanges.chunk)
      guard let answer = try matcher?.match(asked) else { break }
      for cohort in answer.matches.map(\.cohort) + answer.concerns.map(\.cohort) {
        for query in matcher?.subscribers(of: cohort) ?? [] { concerned.insert(Int(query.view)) }
      }
    }
    for place in concerned {
      views[place]?.concern(versions)
      audience.formUnion(views[place]?.watchers ?? [])
    }
  }

  // MARK: The matcher

  /// Puts the queries of a view into the matcher, which is made anew when the classes changed.
  mutating func match(_ place: Int, in readView: ReadView) {
    if matcher != nil, revision == readView.catalog.revision {
      addQueries(of: place, in: readView)
    } else {
      rebuild(in: readView)
    }
  }

  /// Makes a matcher with the queries of all views.
  private mutating func rebuild(in readView: ReadView) {
    if revision != readView.catalog.revision { forgetQueries() }
    matcher = SubscriptionMatcher(schema: QuerySchema(readView.schema))
    revision = readView.catalog.revision
    unmatched = []
    dependents = [:]
    for place in views.indices { addQueries(of: place, in: readView) }
  }

  private mutating func addQueries(of place: Int, in readView: ReadView) {
    guard let view = views[place] else { return }
    var number: Int32 = 0
    do {
      let queries =
        try view.queries
        ?? RealmQueries(
          QuerySet(json: view.key.queries), readView, followsLinks: view.key.followsLinks)
      // Objects that come or go also decide about those that link to them, and those around parts about what these link to.
      let sources = ContentSources(queries, readView.catalog)
      let dependent = queries.dependent.union(sources.asked).union(sources.holders)
      views[place]?.dependent = dependent
      for className in dependent { dependents[className, default: []].insert(place) }
      for (className, text) in try RealmQueries.texts(of: view.key.queries) where queries.selections[className] != nil {
        try matcher?.add(
          ParsedQuery(parsing: text), className: className, id: MatchIdent(view: Int32(place), number: number))
        number += 1
      }
    } catch {
      // A set that cannot be judged is concerned by every commit.
      unmatched.insert(place)
    }
    views[place]?.matchedQueries = Int(number)
  }
}
