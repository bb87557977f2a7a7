import ChangesetOT
import QueryLanguage
import SubscriptionMatching

/// The views that clients of one realm watch: equal ones are one, are looked at once, and only for versions that may have
/// something for them.
///
/// A client watches from the first scan that brought it to the end of the history until it is forgotten, asks for other
/// queries, or reads an older version again. Every version is *judged* once, by the values of its objects before and after,
/// with the matcher: views that it cannot concern skip it. What a version has for a view is a function of the history and
/// the view alone, so it is encoded once and sent to every client, but for what the client wrote itself.
///
/// - Complexity: memory is O(1) for each client, O(*n*) in the bytes of each distinct set of queries, and at most
///   ``pieceLimit``, ``preparedLimit`` and `RecentPast.limit` bytes beside it.
struct SharedViews: Sendable {
  /// Bytes of encoded pieces that are kept for clients that will ask for them.
  static let pieceLimit = 8 << 20
  /// Bytes of the texts of queries that are kept ready.
  static let preparedLimit = 256 << 10
  /// Files whose newest writes are remembered.
  static let authorLimit = 1 << 16

  /// Names one query of a view in the matcher.
  struct MatchIdent: Hashable, Sendable {
    var view: Int32
    var number: Int32
  }

  /// Free places are nil.
  var views: [SharedView?] = []
  private var freeViews: [Int] = []
  private var places: [ViewKey: Int] = [:]
  /// The views by the classes of ``SharedView/dependent``.
  var dependents: [String: Set<Int>] = [:]
  /// The version after which no role has changed, no permission, and no class.
  var rolesStart = ServerVersion.zero
  /// The view that each client file watches.
  private var watched: [FileIdent: Int32] = [:]
  /// Nil until somebody watches, and after the classes changed.
  var matcher: SubscriptionMatcher<MatchIdent>?
  /// The catalog that the matcher and the prepared queries were made for.
  var revision: UInt64 = 0
  /// The views that the matcher cannot judge: every commit concerns them.
  var unmatched: Set<Int> = []
  /// The version up to which all are judged.
  var judged = ServerVersion.zero
  var past = RecentPast(after: .zero)
  /// The instructions of the versions that were judged last.
  var decoded: [Int64: [Instruction]] = [:]
  /// The newest version that each file wrote after ``authorsStart``.
  var authors: [FileIdent: ServerVersion] = [:]
  var authorsStart = ServerVersion.zero
  /// The client files that have something to be sent and were not told.
  var audience: Set<FileIdent> = []
  var concernsEveryone = false
  private var preparedBytes = 0
  private var pieceBytes = 0

  /// Whether nobody watches.
  var isEmpty: Bool { watched.isEmpty }

  // MARK: Watching

  /// The view that a client file watches; nil when it watches none, or another one.
  func view(of ident: FileIdent, _ key: ViewKey) -> Int? {
    guard let place = watched[ident].map(Int.init), views[place]?.key == key else { return nil }
    return place
  }

  /// The view with a key, made when there is none.
  mutating func place(_ key: ViewKey, from version: ServerVersion) -> Int {
    if let place = places[key] { return place }
    var view = SharedView(key, from: version)
    if version < judged { view.concern(Int64(version.rawValue) + 1...Int64(judged.rawValue)) }
    let place = freeViews.popLast() ?? views.count
    if place == views.count { views.append(view) } else { views[place] = view }
    places[key] = place
    return place
  }

  /// Records that a client file that was brought to the end of what is judged watches a view from now on.
  mutating func watch(_ key: ViewKey, by ident: FileIdent, in readView: ReadView) {
    watch(place(key, from: judged), by: ident, in: readView)
  }

  /// Whether no role, no permission and no class has changed after a version.
  func isSettled(since version: ServerVersion) -> Bool { version >= rolesStart }

  /// Records that a client file watches a view from now on.
  mutating func watch(_ place: Int, by ident: FileIdent, in readView: ReadView) {
    audience.remove(ident)
    guard watched[ident] != Int32(place) else { return }
    forget(ident)
    watched[ident] = Int32(place)
    let isFirst = views[place]?.watchers.isEmpty ?? false
    views[place]?.watchers.insert(ident)
    if isFirst { match(place, in: readView) }
  }

  /// Whether a client file watches some view.
  func watches(_ ident: FileIdent) -> Bool { watched[ident] != nil }

  /// Records that a client file watches nothing.
  mutating func forget(_ ident: FileIdent) {
    audience.remove(ident)
    guard let place = watched.removeValue(forKey: ident).map(Int.init) else { return }
    views[place]?.watchers.remove(ident)
    removeIfUnwatched(place)
  }

  /// Removes a view that nobody watches.
  mutating func removeIfUnwatched(_ place: Int) {
    guard let view = views[place], view.watchers.isEmpty else { return }
    for number in 0..<view.matchedQueries {
      matcher?.remove(MatchIdent(view: Int32(place), number: Int32(number)))
    }
    unmatched.remove(place)
    for className in view.dependent { dependents[className]?.remove(place) }
    pieceBytes -= view.pieceBytes
    if view.queries != nil { preparedBytes -= view.key.queries.utf8.count }
    places[view.key] = nil
    views[place] = nil
    freeViews.append(place)
  }

  /// Those who are to be told of the versions that were judged.
  mutating func takeAudience() -> ViewAudience {
    defer { (audience, concernsEveryone) = ([], false) }
    return concernsEveryone ? .everyone : .files(audience)
  }

  /// Views of which nothing is known but that they may be concerned.
  static var unknown: SharedViews {
    var views = SharedViews()
    views.concernsEveryone = true
    return views
  }

  /// Forgets everything that can be made again.
  mutating func shrink() {
    forgetQueries()
    for place in views.indices { pieceBytes -= views[place]?.forgetPieces() ?? 0 }
    past = RecentPast(after: judged)
    decoded = [:]
  }

  // MARK: Keeping

  /// The queries of a view, made ready for the classes of the read view.
  ///
  /// - Throws: `QueryRefusal` for text that is no set of queries.
  mutating func queries(of place: Int, _ set: QuerySet, _ readView: ReadView) throws -> RealmQueries {
    if revision == readView.catalog.revision, let ready = views[place]?.queries { return ready }
    let queries = try RealmQueries(set, readView, followsLinks: views[place]?.key.followsLinks ?? false)
    guard revision == readView.catalog.revision, views[place] != nil else { return queries }
    preparedBytes += set.json.utf8.count
    if preparedBytes > Self.preparedLimit {
      for other in views.indices { views[other]?.queries = nil }
      preparedBytes = set.json.utf8.count
    }
    views[place]?.queries = queries
    return queries
  }

  /// Forgets all prepared queries: the classes changed.
  mutating func forgetQueries() {
    for place in views.indices { views[place]?.queries = nil }
    preparedBytes = 0
  }

  /// Counts pieces that were added to a view, and forgets those of all others when they are too many.
  mutating func keep(_ bytes: Int, in place: Int) {
    views[place]?.pieceBytes += bytes
    pieceBytes += bytes
    guard pieceBytes > Self.pieceLimit else { return }
    for other in views.indices where other != place { pieceBytes -= views[other]?.forgetPieces() ?? 0 }
  }

  /// Forgets the pieces of a view that has too many by itself.
  mutating func trim(_ place: Int) {
    guard let bytes = views[place]?.pieceBytes, bytes > Self.pieceLimit / 2 else { return }
    pieceBytes -= views[place]?.forgetPieces() ?? 0
  }

  /// Forgets what a view has of versions that are no longer kept.
  mutating func clip(_ place: Int, to base: ServerVersion) {
    guard let view = views[place], view.through < base else { return }
    pieceBytes -= views[place]?.forgetPieces() ?? 0
    views[place]?.clip(to: base)
  }

  /// Whether a file may have written something after a version.
  func mayHaveWritten(_ ident: FileIdent, after version: ServerVersion) -> Bool {
    version < authorsStart || authors[ident].map { $0 > version } ?? false
  }
}
