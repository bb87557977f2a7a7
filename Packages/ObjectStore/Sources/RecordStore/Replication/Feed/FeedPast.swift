import ChangesetOT
import DataModel
import StorageEngine

/// The states of the objects that the entries of a scan touched, at every version of the scan.
///
/// - Complexity: memory in proportion to the inverses of the scan and to the fields of its objects; not to the history after it.
struct FeedPast {
  /// The bytes of inverses that are read at a time.
  private static let piece = 1 << 20

  /// The first version whose state is known.
  private let known: ServerVersion
  private var objects: [ObjectReference: OwnValueTimeline] = [:]

  /// Reads the inverses of the versions from the start of a scan to the newest.
  init(_ scan: FeedScan) throws {
    var objects: [ObjectReference: OwnValueTimeline] = [:]
    let end = scan.end.version
    known = try Self.read(scan, after: scan.start) { inverse, version in
      for part in inverse.parts {
        if version <= end {
          objects[part.object, default: OwnValueTimeline()].add(part, at: version)
        } else {
          objects[part.object]?.addLater(part, at: version)
        }
      }
    }
    self.objects = objects
  }

  /// Reads the inverses of the versions from one of a scan to the newest.
  ///
  /// - Returns: the first version whose state is known.
  static func read(
    _ scan: FeedScan, after start: ServerVersion, _ body: (VersionInverse, ServerVersion) throws -> Void
  ) throws -> ServerVersion {
    func take(_ item: LogEntry) throws {
      try body(try VersionInverse(decoding: item.content), ServerVersion(UInt64(item.position)))
    }
    for item in scan.inverses where item.position > Int64(clamping: start.rawValue) { try take(item) }
    let log = scan.file.store.log(InverseLog.entries)
    let end = Int64(clamping: scan.newest.rawValue)
    var position = Int64(clamping: scan.end.version.rawValue) + 1
    while position <= end {
      let items = try log.entries(in: position...end, byteLimit: piece)
      guard let last = items.last else { break }
      for item in items { try take(item) }
      position = last.position + 1
    }
    // The log is not part of the snapshot: what was dropped while it was read is not known.
    let latest = try scan.file.store.latestSnapshot()
    guard let state = try ServerState(in: latest) else { throw ServerHistory.unprepared }
    return max(try InverseLog.since(in: latest) ?? state.current, state.base)
  }

  /// The objects that an entry touched; nil when their states are not known.
  func transitions(of entry: FeedEntry, in readView: ReadView) throws -> [ObjectTransition]? {
    let version = entry.position.version
    guard version > known else { return nil }
    var seen: Set<ObjectReference> = []
    var transitions: [ObjectTransition] = []
    for object in try entry.instructions().compactMap(\.object) where seen.insert(object).inserted {
      guard let layout = readView.catalog[object.className], let past = objects[object] else { continue }
      let row = try readView.row(object.key, layout)
      let before = try past.values(at: version.before, layout, row, in: readView)
      let after = try past.values(at: version, layout, row, in: readView)
      guard before != nil || after != nil else { continue }
      let written = past.fields(writtenAt: version).compactMap(layout.number(of:)).sorted()
      transitions.append(ObjectTransition(object: object, before: before, after: after, written: written))
    }
    return transitions
  }
}
