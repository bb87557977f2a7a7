import ByteCoding
import ChangesetOT
import StorageEngine

/// The queries that a client's file held, by the versions from which on it held them: what the server tells of the past of a
/// view.
///
///     count, (version, query version, queries) …, then the user of each: 0 for none, or 1, user, flags, token;
///     then of each: count, classes that select nothing …
///     then of each: 0, or 1 and count, access lists that there were …
///
/// One entry per client in a log of its own, whose position is the file ident: a commit costs the same however many clients have
/// views.
///
/// A set counts as held from the version of its bootstrap on, before the client has all of it: whatever the client uploads
/// with an older base meets what the bootstrap did to its file.
struct ViewStages {
  /// A set with its scope, and the first version at which it was held.
  struct Stage: Equatable {
    var version: ServerVersion
    var set: QuerySet
    var scope = ViewScope()
  }

  /// Older ones are forgotten: a client that uploads something older yet is taken to have held nothing.
  private static let limit = 64

  private(set) var stages: [Stage] = []

  private static let log = "views"

  /// The place of a client's entry.
  private static func position(_ ident: FileIdent) -> Int64 { Int64(clamping: ident.rawValue) }

  /// No stages.
  init() {}

  /// The stages of a client as a transaction sees them; none for one that never had a view.
  init(of ident: FileIdent, in transaction: WriteTransaction) throws {
    let position = Self.position(ident)
    try self.init(transaction.log(Self.log).entries(in: position...position))
  }

  /// The stages of a client as they are stored; none for one that never had a view.
  init(of ident: FileIdent, in store: Store) throws {
    let position = Self.position(ident)
    try self.init(store.log(Self.log).entries(in: position...position))
  }

  private init(_ entries: [LogEntry]) throws {
    guard let bytes = entries.first?.content else { return }
    var content = ByteReader(bytes)
    let count: Int = try content.readVarint()
    for _ in 0..<min(max(count, 0), Self.limit) {
      let version = ServerVersion(try content.readVarint())
      let set = QueryVersion(try content.readVarint())
      stages.append(Stage(version: version, set: QuerySet(version: set, json: try content.readString())))
    }
    for index in stages.indices where content.remaining > 0 {
      stages[index].scope.access = try content.readViewAccess()
    }
    for index in stages.indices where content.remaining > 0 {
      for _ in 0..<(try content.readCount()) { stages[index].scope.unfit.insert(try content.readString()) }
    }
    for index in stages.indices where content.remaining > 0 {
      guard try content.readByte() != 0 else { continue }
      var lists: Set<String> = []
      for _ in 0..<(try content.readCount()) { lists.insert(try content.readString()) }
      stages[index].scope.lists = lists
    }
  }

  func store(of ident: FileIdent, in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(stages.count)
    for stage in stages {
      writer.writeVarint(stage.version.rawValue)
      writer.writeVarint(stage.set.version.rawValue)
      writer.writeString(stage.set.json)
    }
    for stage in stages { writer.write(stage.scope.access) }
    for stage in stages {
      writer.writeVarint(stage.scope.unfit.count)
      for className in stage.scope.unfit.sorted() { writer.writeString(className) }
    }
    for stage in stages {
      writer.writeByte(stage.scope.lists == nil ? 0 : 1)
      guard let lists = stage.scope.lists else { continue }
      writer.writeVarint(lists.count)
      for list in lists.sorted() { writer.writeString(list) }
    }
    try transaction.log(Self.log).put([LogEntry(position: Self.position(ident), content: writer.bytes)])
  }

  /// The set held at a version, with its user; nil when it is not known.
  func held(at version: ServerVersion) -> Stage? { stages.last { $0.version <= version } }

  /// The set held now; nil for a client that never had a view.
  var current: Stage? { stages.last }

  /// The stages that began after a version.
  func begun(after version: ServerVersion) -> ArraySlice<Stage> {
    stages[stages.prefix { $0.version <= version }.count...]
  }

  /// Takes a client at its word: at the version of its cursor it holds this set. Its scope is the one that the set had before.
  ///
  /// - Parameter scope: of a set that is not known.
  /// - Returns: whether that is news.
  mutating func note(_ set: QuerySet, _ scope: ViewScope, at version: ServerVersion) -> Bool {
    guard stages.last?.set != set || (stages.last?.version ?? .zero) > version else { return false }
    let before = stages
    let known = stages.last { $0.set == set }
    stages.removeAll { $0.version > version }
    if stages.last?.set != set { begin(set, known.map(\.scope) ?? scope, at: version) }
    return stages != before
  }

  /// Notes classes that came since the newest stage began and that its set does not fit: nothing of them was held.
  ///
  /// - Returns: whether there are such.
  mutating func note(unfit classes: Set<String>) -> Bool {
    guard let last = stages.indices.last, !classes.isSubset(of: stages[last].scope.unfit) else { return false }
    stages[last].scope.unfit.formUnion(classes)
    return true
  }

  /// Notes the access lists that there are for stages of which they are not known.
  ///
  /// - Returns: whether there are such.
  mutating func note(lists: Set<String>?) -> Bool {
    guard lists != nil, stages.contains(where: { $0.scope.lists == nil }) else { return false }
    for index in stages.indices where stages[index].scope.lists == nil { stages[index].scope.lists = lists }
    return true
  }

  /// Begins a stage at a version.
  mutating func begin(_ set: QuerySet, _ scope: ViewScope, at version: ServerVersion) {
    stages.removeAll { $0.version >= version }
    stages.append(Stage(version: version, set: set, scope: scope))
    stages = stages.suffix(Self.limit)
  }

  /// Takes back the last stage, whose bootstrap did not come to its end.
  mutating func giveUp() { stages = stages.dropLast() }

  /// Takes back the stages that began after a version.
  mutating func giveUp(after version: ServerVersion) { stages.removeAll { $0.version > version } }

  /// Forgets stages that no upload can be based on any more.
  mutating func forget(before version: ServerVersion) {
    stages.removeFirst(max(0, stages.prefix { $0.version <= version }.count - 1))
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ access: ViewAccess?) {
    writeByte(access == nil ? 0 : 1)
    guard let access else { return }
    writeString(access.user)
    writeByte((access.isAdministrator ? 1 : 0) | (access.followsLinks ? 2 : 0) | (access.mayHoldWhole ? 4 : 0))
    writeByte(access.tokenBound)
  }
}

extension ByteReader {
  fileprivate mutating func readViewAccess() throws -> ViewAccess? {
    guard try readByte() != 0 else { return nil }
    let user = try readString()
    let flags = try readByte()
    return ViewAccess(
      user: user, isAdministrator: flags & 1 != 0, tokenBound: try readByte(), followsLinks: flags & 2 != 0,
      mayHoldWhole: flags & 4 != 0)
  }
}
