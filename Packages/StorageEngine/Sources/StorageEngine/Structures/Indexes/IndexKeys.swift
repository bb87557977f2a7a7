/// The entries of an index over byte strings: key and row in one string that `memcmp` orders by key, then by row.
///
///     key, each 00 as 00 FF   00 00   row, 8 bytes, most significant first
///
/// The end mark sorts before every continuation of the key, and no key contains it.
enum IndexKeys {
  static func prefix(_ key: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(key.count + 10)
    append(key, to: &result)
    return result
  }

  private static func append(_ key: [UInt8], to result: inout [UInt8]) {
    if !key.contains(0) { return result.append(contentsOf: key) }
    for byte in key {
      result.append(byte)
      if byte == 0 { result.append(0xFF) }
    }
  }

  static func entry(_ key: [UInt8], _ row: RowKey) -> [UInt8] {
    var result = prefix(key)
    result.append(0)
    result.append(0)
    withUnsafeBytes(of: row.rawValue.bigEndian) { result.append(contentsOf: $0) }
    return result
  }

  /// The key and row of an entry; nil when it is malformed.
  static func split(_ entry: [UInt8]) -> (key: [UInt8], row: RowKey)? {
    guard entry.count >= 10 else { return nil }
    let end = entry.count - 10
    guard entry[end] == 0, entry[end + 1] == 0 else { return nil }
    let row = entry.withUnsafeBytes { Int64(bigEndian: $0.loadUnaligned(fromByteOffset: end + 2, as: Int64.self)) }
    guard entry[..<end].contains(0) else { return (Array(entry[..<end]), RowKey(row)) }
    var key: [UInt8] = []
    var at = 0
    while at < end {
      key.append(entry[at])
      at += entry[at] == 0 ? 2 : 1
    }
    return (key, RowKey(row))
  }

  /// The least string after every string that begins with `prefix`; nil when there is none.
  static func successor(_ prefix: [UInt8]) -> [UInt8]? {
    var result = prefix
    while let last = result.popLast() {
      if last < 0xFF { return result + [last + 1] }
    }
    return nil
  }
}
