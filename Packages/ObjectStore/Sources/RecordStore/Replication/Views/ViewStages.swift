import ByteCoding
import ChangesetOT
import StorageEngine

/// The queries that a client's file held, by the versions from which on it held them: what the server tells of the past of a
/// view.
///
///     count, (version, query version, queries) …
///
/// A set counts as held from the version of its bootstrap on, before the client has all of it: whatever the client uploads
/// with an older base meets what the bootstrap did to its file.
struct ViewStages {
  /// A set, and the first version at which it was held.
  struct Stage: Equatable {
    var version: ServerVersion
    var set: QuerySet
  }

  /// Older ones are forgotten: a client that uploads something older yet is taken to have held nothing.
  private static let limit = 64

  private(set) var stages: [Stage] = []

  private static func recordName(_ ident: FileIdent) -> String { "view \(ident.rawValue)" }

  /// No stages.
  init() {}

  /// The stages of a client; none for one that never had a view.
  init(of ident: FileIdent, in reader: any StorageReader) throws {
    guard let bytes = try reader.rootRecord(Self.recordName(ident)) else { return }
    var content = ByteReader(bytes)
    let count: Int = try content.readVarint()
    for _ in 0..<min(max(count, 0), Self.limit) {
      let version = ServerVersion(try content.readVarint())
      let set = QueryVersion(try content.readVarint())
      stages.append(Stage(version: version, set: QuerySet(version: set, json: try content.readString())))
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
    try transaction.setRootRecord(Self.recordName(ident), writer.bytes)
  }

  /// The set held at a version; nil when it is not known.
  func held(at version: ServerVersion) -> QuerySet? { stages.last { $0.version <= version }?.set }

  /// The set held now; nil for a client that never had a view.
  var current: QuerySet? { stages.last?.set }

  /// The stages that began after a version.
  func begun(after version: ServerVersion) -> ArraySlice<Stage> {
    stages[stages.prefix { $0.version <= version }.count...]
  }

  /// Takes a client at its word: at the version of its cursor it holds this set.
  ///
  /// - Returns: whether that is news.
  mutating func note(_ set: QuerySet, at version: ServerVersion) -> Bool {
    guard stages.last?.set != set || (stages.last?.version ?? .zero) > version else { return false }
    let before = stages
    stages.removeAll { $0.version > version }
    if stages.last?.set != set { begin(set, at: version) }
    return stages != before
  }

  /// Begins a stage with a bootstrap at a version.
  mutating func begin(_ set: QuerySet, at version: ServerVersion) {
    stages.removeAll { $0.version >= version }
    stages.append(Stage(version: version, set: set))
    stages = stages.suffix(Self.limit)
  }

  /// Takes back the last stage, whose bootstrap did not come to its end.
  mutating func giveUp() { stages = stages.dropLast() }

  /// Forgets stages that no upload can be based on any more.
  mutating func forget(before version: ServerVersion) {
    stages.removeFirst(max(0, stages.prefix { $0.version <= version }.count - 1))
  }
}
