import ChangesetOT
import DataModel
import Foundation
import StorageEngine

/// The states of objects at versions of the kept history: the present one, and what the inverses since then say.
///
///     let past = try PastStates(items)
///     try past.fields(of: object, at: cursor, in: readView)        // nil: it did not exist
///
/// The read view that is handed in is of the newest version that the inverses reach.
///
/// - Complexity: O(*n*) in the size of the inverses that it is made of; a state costs the inverses of its object.
struct PastStates: Sendable {
  /// Ascending by version.
  private(set) var parts: [ObjectReference: [(version: ServerVersion, part: VersionInverse.Part)]] = [:]

  /// The states from a version on.
  ///
  /// The present state alone.
  init() {}

  /// - Parameter items: the inverses of the versions after the first one that is asked for.
  init(_ items: [LogEntry]) throws {
    for item in items { add(try VersionInverse(decoding: item.content), at: ServerVersion(UInt64(item.position))) }
  }

  /// - Parameter inverses: ascending by version.
  init(_ inverses: [(version: ServerVersion, inverse: VersionInverse)]) {
    for (version, inverse) in inverses { add(inverse, at: version) }
  }

  /// Adds the inverse of the next version.
  mutating func add(_ inverse: VersionInverse, at version: ServerVersion) {
    for part in inverse.parts { parts[part.object, default: []].append((version, part)) }
  }

  /// The inverses of the versions after one that touched an object, ascending.
  func touched(
    _ object: ObjectReference, after version: ServerVersion
  ) -> ArraySlice<(version: ServerVersion, part: VersionInverse.Part)> {
    (parts[object] ?? []).drop { $0.version <= version }
  }

  /// The objects to which some version after one and up to another did what fulfils a condition, with the inverses of these
  /// versions.
  ///
  /// - Complexity: O(*n*) in the inverses.
  func objects(
    after start: ServerVersion, through end: ServerVersion, where holds: (VersionInverse.Part) -> Bool
  ) -> [(object: ObjectReference, parts: [VersionInverse.Part])] {
    parts.compactMap { object, touched in
      let parts = touched.filter { $0.version > start && $0.version <= end }.map(\.part)
      return parts.contains(where: holds) ? (object, parts) : nil
    }
  }

  /// All fields of an object at a version; nil when it did not exist.
  func fields(
    of object: ObjectReference, at version: ServerVersion, in readView: ReadView
  ) throws -> [String: StateDump.Item]? {
    var fields: [String: StateDump.Item]?
    if let layout = readView.catalog[object.className], let row = try readView.row(object.key, layout) {
      fields = try readView.fields(row, layout)
    }
    for (_, part) in (parts[object] ?? []).reversed().prefix(while: { $0.version > version }) {
      guard part.existed else {
        fields = nil
        continue
      }
      var before = fields ?? [:]
      for (name, inverse) in part.fields { before[name] = try inverse.before(before[name]) }
      fields = before
    }
    return fields
  }
}

extension FieldLayout {
  /// The value of a single field of a new object.
  var initialValue: Value {
    if isNullable || canLink { return .null }
    switch type {
    case .int: return .int(0)
    case .bool: return .bool(false)
    case .float: return .float(0)
    case .double: return .double(0)
    case .string: return .string("")
    case .data: return .data([])
    case .date: return .timestamp(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal128: return .decimal128(Decimal128(high: 0, low: 0))
    case .objectId: return ObjectId(bytes: [UInt8](repeating: 0, count: 12)).map { .objectId($0) } ?? .null
    case .UUID: return .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .any, .object, .linkingObjects: return .null
    }
  }
}
