import DataModel

/// A value of a sort key, cut to what decides most comparisons: its rank and 64 bits.
struct SortCell {
  /// 0 for null, 1 for a value, 2 for a null link on the way to the value.
  var rank: UInt8
  var bits: UInt64

  static let null = SortCell(rank: 0, bits: 0)
  static let missing = SortCell(rank: 2, bits: 0)

  @inline(__always) init(rank: UInt8, bits: UInt64) {
    self.rank = rank
    self.bits = bits
  }

  @inline(__always) init(_ value: Int64) {
    rank = 1
    bits = UInt64(bitPattern: value) ^ 1 << 63
  }

  /// Doubles in the order of their bits, NaN below all.
  @inline(__always) init(_ value: Double) {
    rank = 1
    guard !value.isNaN else {
      bits = 0
      return
    }
    let raw = (value == 0 ? 0.0 : value).bitPattern
    bits = raw >> 63 == 1 ? ~raw : raw | 1 << 63
  }

  /// The first eight bytes.
  init(_ bytes: some Sequence<UInt8>) {
    rank = 1
    var bits: UInt64 = 0
    var count: UInt64 = 0
    for byte in bytes.prefix(8) {
      bits |= UInt64(byte) << (56 - 8 * count)
      count += 1
    }
    self.bits = bits
  }

  /// The cell of any value of a type.
  init(_ value: Value, _ type: ValueType) {
    switch (type, value) {
    case (_, .null): self = .null
    case (.int, .int(let value)): self.init(value)
    case (.bool, .bool(let value)): self.init(rank: 1, bits: value ? 1 : 0)
    case (.double, .double(let value)): self.init(value)
    case (.float, .float(let value)): self.init(Double(value))
    case (.date, .timestamp(let value)): self.init(value.seconds)
    case (.string, .string(let text)): self.init(text.utf8)
    default: self.init(rank: 1, bits: 0)
    }
  }

  /// Negative, zero or positive as this comes before, with or after the other in ascending order.
  @inline(__always) func compare(_ other: SortCell) -> Int {
    if rank != other.rank { return rank < other.rank ? -1 : 1 }
    if bits != other.bits { return bits < other.bits ? -1 : 1 }
    return 0
  }

  /// Whether equal cells mean equal values.
  static func isExact(_ type: ValueType) -> Bool {
    switch type {
    case .int, .bool, .double, .float: true
    default: false
    }
  }
}
