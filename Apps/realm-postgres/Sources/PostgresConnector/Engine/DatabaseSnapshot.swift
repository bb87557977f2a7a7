/// The transactions whose effects a read of the database shows, as `pg_current_snapshot()` tells them. A pure value.
///
///     DatabaseSnapshot("100:104:100,102")?.shows(101)   // true
///     DatabaseSnapshot("100:104:100,102")?.shows(102)   // false
struct DatabaseSnapshot {
  /// The low 32 bits of the number of the first transaction that has not begun.
  private let next: UInt32
  /// Those of the transactions that are under way.
  private let underWay: Set<UInt32>

  /// Reads `xmin:xmax:xip,…`; nil for another text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let next = UInt64(parts[1]) else { return nil }
    let numbers = parts[2].split(separator: ",")
    let underWay = numbers.compactMap { UInt64($0) }
    guard underWay.count == numbers.count else { return nil }
    self.next = UInt32(truncatingIfNeeded: next)
    self.underWay = Set(underWay.map { UInt32(truncatingIfNeeded: $0) })
  }

  /// Whether a transaction that has committed is shown. Numbers that are more than 2^31 apart do not occur at the same time.
  func shows(_ transaction: UInt32) -> Bool {
    Int32(bitPattern: transaction &- next) < 0 && !underWay.contains(transaction)
  }
}
