import ChangesetOT
import StorageEngine

/// The inverses of the newest versions, decoded once for all views that look back.
struct RecentPast: Sendable {
  /// Bytes of inverses that are remembered at most.
  static let limit = 4 << 20

  /// The version after which every inverse is in `states`.
  private var start: ServerVersion
  private var states = PastStates()
  private var bytes = 0

  init(after version: ServerVersion) { start = version }

  /// Adds the inverses of the versions up to one.
  mutating func add(
    _ inverses: [(version: ServerVersion, inverse: VersionInverse)], bytes added: Int, through end: ServerVersion
  ) {
    bytes += added
    guard bytes <= Self.limit else {
      self = RecentPast(after: end)
      return
    }
    for (version, inverse) in inverses { states.add(inverse, at: version) }
  }

  /// The states from a version on, read again when more is asked for than is remembered.
  mutating func states(after version: ServerVersion, through end: ServerVersion, of log: LogReader) throws -> PastStates
  {
    if start <= version { return states }
    var items: [LogEntry] = []
    if version < end { items = try log.entries(in: Int64(version.rawValue) + 1...Int64(end.rawValue)) }
    let read = try PastStates(items)
    let size = items.reduce(0) { $0 + $1.content.count }
    if size <= Self.limit { (start, states, bytes) = (version, read, size) }
    return read
  }
}
