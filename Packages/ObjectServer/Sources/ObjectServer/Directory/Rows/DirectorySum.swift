/// The number of rows of a table and the sum of their seals: detects removed rows, and rows replaced by earlier versions.
struct DirectorySum: Hashable {
  /// The table of the sums, and its columns with the seal.
  static let table = "seals"
  static let columns = ["name", "count", "sum", "seal"]

  var count: Int64 = 0
  var sum: UInt128 = 0

  mutating func add(_ seal: [UInt8]) {
    count += 1
    sum &+= Self.number(seal)
  }

  mutating func remove(_ seal: [UInt8]) {
    count -= 1
    sum &-= Self.number(seal)
  }

  /// As it is stored.
  func values(_ table: DirectoryTable) -> [DirectoryValue] {
    [.text(table.rawValue), .integer(count), .blob(withUnsafeBytes(of: sum.littleEndian) { Array($0) })]
  }

  init() {}

  init?(_ row: DirectoryRow) {
    guard let count = row.integer(1), case .blob(let bytes) = row.cells[2] else { return nil }
    self.count = count
    sum = Self.number(bytes)
  }

  private static func number(_ bytes: [UInt8]) -> UInt128 {
    bytes.prefix(16).reversed().reduce(0) { $0 << 8 | UInt128($1) }
  }
}
