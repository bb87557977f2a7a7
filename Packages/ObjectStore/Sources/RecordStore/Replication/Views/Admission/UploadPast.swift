import ChangesetOT
import Permissions
import StorageEngine

/// The versions that came after the bases of uploads: each is decoded once for all uploads that are integrated together, however many
/// bases these have, and however often they are attempted.
///
/// Versions up to the base of an upload play no part in the answers about that base.
struct UploadPast {
  /// The states that the inverses of all known versions make.
  private(set) var states = PastStates()
  /// Ascending.
  private var inverses: [(version: ServerVersion, inverse: VersionInverse)] = []
  private var inverseVersions = KnownVersions()
  /// Of the versions that touched facts of permissions, ascending.
  private var touches: [(version: ServerVersion, touches: PermissionTouches)] = []
  private var touchVersions = KnownVersions()
  private var setBack: [FileIdent: (versions: KnownVersions, parts: SetBackParts)] = [:]

  // MARK: Reading

  /// Decodes the inverses of versions that are not known yet.
  ///
  /// - Parameter entries: of the log of inverses.
  /// - Complexity: O(*n*) in the inverses; also in the known ones when there are earlier ones among them.
  mutating func readInverses(
    of range: ClosedRange<Int64>, _ entries: (ClosedRange<Int64>) throws -> [LogEntry]
  ) throws {
    func decoded(_ range: ClosedRange<Int64>) throws -> [(version: ServerVersion, inverse: VersionInverse)] {
      try entries(range).map { (ServerVersion(UInt64($0.position)), try VersionInverse(decoding: $0.content)) }
    }
    let (before, after) = inverseVersions.missing(range)
    if let before {
      inverses.insert(contentsOf: try decoded(before), at: 0)
      states = PastStates(inverses)
    }
    if let after {
      let new = try decoded(after)
      inverses += new
      for (version, inverse) in new { states.add(inverse, at: version) }
    }
    inverseVersions.add(range)
  }

  /// Decodes what versions that are not known yet touched of permissions.
  ///
  /// - Parameter entries: of the log of the server.
  mutating func readTouches(
    of range: ClosedRange<Int64>, _ entries: (ClosedRange<Int64>) throws -> [LogEntry]
  ) throws {
    func decoded(_ range: ClosedRange<Int64>) throws -> [(version: ServerVersion, touches: PermissionTouches)] {
      try entries(range).compactMap { item in
        let entry = try ServerLogEntry(decoding: item.content)
        guard !entry.isPrivate, !entry.changeset.isEmpty else { return nil }
        var touches = PermissionTouches()
        touches.add(try Changeset(decoding: entry.changeset, origin: entry.author))
        return touches.isEmpty ? nil : (ServerVersion(UInt64(item.position)), touches)
      }
    }
    let (before, after) = touchVersions.missing(range)
    if let before { touches.insert(contentsOf: try decoded(before), at: 0) }
    if let after { touches += try decoded(after) }
    touchVersions.add(range)
  }

  /// Decodes what versions that are not known yet set back in an author's file.
  ///
  /// - Parameter entries: of the log of the server.
  mutating func readSetBack(
    of file: FileIdent, _ range: ClosedRange<Int64>, _ entries: (ClosedRange<Int64>) throws -> [LogEntry]
  ) throws {
    var (versions, parts) = setBack[file] ?? (KnownVersions(), SetBackParts())
    let (before, after) = versions.missing(range)
    for item in try [before, after].compactMap(\.self).flatMap(entries) {
      let entry = try ServerLogEntry(decoding: item.content)
      guard entry.isPrivate, entry.source == file else { continue }
      parts.add(
        try Changeset(decoding: entry.changeset, origin: entry.author), at: ServerVersion(UInt64(item.position)))
    }
    versions.add(range)
    setBack[file] = (versions, parts)
  }

  /// Forgets versions that are going to be rolled back.
  mutating func forget(after version: Int64) {
    let last = ServerVersion(UInt64(version))
    if inverses.last.map({ $0.version > last }) ?? false {
      inverses.removeAll { $0.version > last }
      states = PastStates(inverses)
    }
    touches.removeAll { $0.version > last }
    inverseVersions.forget(after: version)
    touchVersions.forget(after: version)
    setBack = setBack.filter { !$0.value.versions.contains(after: version) }
  }

  // MARK: Facts

  /// The inverses of the versions after one and up to another. O(log *n*) in the known ones.
  func inverses(after start: ServerVersion, through end: ServerVersion) -> some Sequence<VersionInverse> {
    inverses[place(after: start)...].prefix { $0.version <= end }.lazy.map(\.inverse)
  }

  /// The place of the first known inverse of a version after one.
  private func place(after start: ServerVersion) -> Int {
    var (low, high) = (0, inverses.count)
    while low < high {
      let middle = low + (high - low) / 2
      if inverses[middle].version <= start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The facts of permissions that the versions after one touched. O(*n*) in them.
  func touches(after start: ServerVersion) -> PermissionTouches {
    touches.reversed().prefix { $0.version > start }.reduce(into: PermissionTouches()) { $0.add($1.touches) }
  }

  /// Whether a version after one, and up to another, touched permissions.
  func touchesPermissions(after start: ServerVersion, through end: ServerVersion) -> Bool {
    touches.contains { $0.version > start && $0.version <= end }
  }

  /// The parts that versions after one set back in an author's file. O(1).
  func setBack(of file: FileIdent, after base: ServerVersion) -> SetBackParts {
    var parts = setBack[file]?.parts ?? SetBackParts()
    parts.base = base
    return parts
  }
}

/// Consecutive versions of which something is known.
private struct KnownVersions {
  private var range: ClosedRange<Int64>?

  /// The versions that are missing for others to be known, before the known ones and after them.
  func missing(_ wanted: ClosedRange<Int64>) -> (before: ClosedRange<Int64>?, after: ClosedRange<Int64>?) {
    guard let range else { return (nil, wanted) }
    return (
      wanted.lowerBound < range.lowerBound ? wanted.lowerBound...range.lowerBound - 1 : nil,
      wanted.upperBound > range.upperBound ? range.upperBound + 1...wanted.upperBound : nil
    )
  }

  mutating func add(_ wanted: ClosedRange<Int64>) {
    guard let range else { return self.range = wanted }
    self.range = min(range.lowerBound, wanted.lowerBound)...max(range.upperBound, wanted.upperBound)
  }

  func contains(after version: Int64) -> Bool { range.map { $0.upperBound > version } ?? false }

  mutating func forget(after version: Int64) {
    guard let range, contains(after: version) else { return }
    self.range = range.lowerBound <= version ? range.lowerBound...version : nil
  }
}
