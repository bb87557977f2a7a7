import DataModel

/// A prefix of a sort key that decides most comparisons: a rank and 64 bits. Inlined by hand for row `query.sort-limit`.
struct SortCell: Hashable, Sendable {
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
    switch value {
    case .null: self = .null
    case .int(let value) where type == .int: self.init(value)
    case .bool(let value) where type == .bool: self.init(rank: 1, bits: value ? 1 : 0)
    case .double(let value) where type == .double: self.init(value)
    case .float(let value) where type == .float: self.init(Double(value))
    case .timestamp(let value) where type == .date: self.init(value.seconds)
    case .string(let text) where type == .string: self.init(text.utf8)
    case .int, .bool, .double, .float, .timestamp, .string, .data, .decimal128, .objectId, .uuid, .link, .list,
      .dictionary:
      self.init(rank: 1, bits: 0)
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
    case .decimal, .string, .data, .date, .objectId, .uuid, .mixed, .link, .typeName: false
    }
  }
}
