/// The extent of one log at one version, by which a reader knows the entries that there must be.
///
/// Between the first and the last, each entry has the position of the one before it. So an entry that damage hides is
/// missed, wherever it was.
struct LogState: Hashable, Sendable {
  /// The number of the log's own table, from 1.
  let number: Int64
  /// The number of entries.
  private(set) var count = 0
  /// The sum of their sizes, in bytes.
  private(set) var bytes = 0
  private var first: Int64 = 0
  private var last: Int64 = 0

  init(number: Int64) { self.number = number }

  /// The positions of the first and the last entry; nil without entries.
  var span: ClosedRange<Int64>? { count == 0 ? nil : first...last }

  /// Records a new entry; its position may extend the span.
  mutating func add(_ position: Int64, _ size: Int) {
    (first, last) = count == 0 ? (position, position) : (min(first, position), max(last, position))
    count += 1
    bytes += size
  }

  /// Records that the size of an entry changed.
  mutating func resize(by difference: Int) { bytes += difference }

  /// Records that some entries, and not all, are gone.
  mutating func remove(_ removed: Int, _ size: Int, leaving span: ClosedRange<Int64>) {
    count -= removed
    bytes -= size
    (first, last) = (span.lowerBound, span.upperBound)
  }

  mutating func removeAll() { self = LogState(number: number) }
}

extension LogState {
  /// The state as a map value: a list of five integers.
  var value: StoredValue { .list([.int(number), .int(Int64(count)), .int(Int64(bytes)), .int(first), .int(last)]) }

  init(_ value: StoredValue, of name: String) throws {
    guard case .list(let parts) = value, parts.count == 5, case .int(let number) = parts[0],
      case .int(let count) = parts[1], case .int(let bytes) = parts[2], case .int(let first) = parts[3],
      case .int(let last) = parts[4], number > 0, count >= 0, bytes >= 0, first <= last, count <= 1 << 48
    else { throw StorageError.damage("What the file says of log '\(name)' is impossible.") }
    self.number = number
    self.count = Int(count)
    self.bytes = Int(bytes)
    self.first = first
    self.last = last
  }
}
