import ChangesetOT
import DataModel
import StorageEngine

/// The own values of one object at versions of the history, found from the inverses of the versions that touched it.
///
/// The value of a field at a version is what the first later inverse of the field says, and the present value when none does.
/// The erasure of the object ends the search: its inverse has every field that there was.
struct OwnValueTimeline {
  /// The inverse of one version; the last may stand for all versions after the scan that touched the object.
  private struct Part {
    var version: ServerVersion
    var existed: Bool
    var names: [String]
  }

  /// Ascending.
  private var parts: [Part] = []
  /// The positions of parts before which the object did not exist, ascending.
  private var births: [Int] = []
  /// For each field the parts that wrote it, ascending, with its value before; nil for a field that was not declared.
  private var writes: [String: [(part: Int, before: Value?)]] = [:]
  /// Whether the last part stands for the versions after the scan.
  private var isJoined = false
  /// Whether the last part takes back an erasure: nothing later tells about the states before it.
  private var isClosed = false

  /// Adds the inverse of a version of the scan.
  mutating func add(_ part: VersionInverse.Part, at version: ServerVersion) {
    if !part.existed { births.append(parts.count) }
    for (name, inverse) in part.fields { writes[name, default: []].append((parts.count, inverse.singleValue)) }
    parts.append(Part(version: version, existed: part.existed, names: Array(part.fields.keys)))
  }

  /// Adds the inverse of a version after the scan: only what it says about the state at the end of the scan is kept.
  mutating func addLater(_ part: VersionInverse.Part, at version: ServerVersion) {
    guard !isClosed else { return }
    guard isJoined else {
      isJoined = true
      isClosed = !part.existed
      return add(part, at: version)
    }
    guard part.existed else {
      isClosed = true
      return
    }
    for (name, inverse) in part.fields where writes[name]?.last?.part != parts.count - 1 {
      writes[name, default: []].append((parts.count - 1, inverse.singleValue))
    }
  }

  /// The fields that a version wrote.
  func fields(writtenAt version: ServerVersion) -> [String] {
    let index = firstPart(after: version.before)
    return index < parts.count && parts[index].version == version ? parts[index].names : []
  }

  /// The values at a version, one per field of the class; nil when the object did not exist.
  ///
  /// - Parameter row: of the object in the present.
  /// - Complexity: O(fields × log *n*) in the versions that touched the object.
  func values(
    at version: ServerVersion, _ layout: ClassLayout, _ row: RowKey?, in readView: ReadView
  ) throws -> [Value]? {
    let start = firstPart(after: version)
    guard start < parts.count ? parts[start].existed : row != nil else { return nil }
    let birth = births.firstIndex(atLeast: start + 1, by: \.self)
    let end: Int? =
      if birth < births.count {
        births[birth] - 1
      } else if start < parts.count, isClosed || row == nil {
        parts.count - 1
      } else {
        nil
      }
    return try layout.fields.map { field in
      if let writes = writes[field.name] {
        let index = writes.firstIndex(atLeast: start, by: \.part)
        if index < writes.count, writes[index].part <= end ?? .max {
          return writes[index].before ?? field.ownInitialValue
        }
      }
      guard end == nil, let row, field.collection == .single else { return field.ownInitialValue }
      return try readView.value(Cell(layout, row, field)).scalar ?? .null
    }
  }

  /// The first part after a version.
  private func firstPart(after version: ServerVersion) -> Int {
    parts.firstIndex(atLeast: version.rawValue + 1, by: \.version.rawValue)
  }
}

extension Array {
  /// The first position whose key reaches a bound, in an array that ascends by it. O(log *n*).
  fileprivate func firstIndex<Key: Comparable>(atLeast bound: Key, by key: (Element) -> Key) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension FieldInverse {
  /// The earlier content of a single field, null for links and collections; nil for a field that was not declared, and for a
  /// collection.
  fileprivate var singleValue: Value? {
    switch self {
    case .whole(.value(let value)):
      switch value {
      case .link, .list, .dictionary: .null
      case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid: value
      }
    case .absent, .whole, .list, .entries, .members: nil
    }
  }
}

extension FieldLayout {
  /// The value of a new object as its own; null for collections.
  fileprivate var ownInitialValue: Value { collection == .single ? initialValue : .null }
}
