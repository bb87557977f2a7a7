/// The bytes of a run of integers: the least value, then the distance of each value from it in 0, 1, 2, 4 or 8 bytes.
///
///     [7, 7, 7]            00  base
///     [100, 130, 101]      01  base  00 1E 01
///     [5, 6, 7, 8]         10  base  step               an arithmetic progression
///
/// Base and step are zigzag integers. Distances are taken modulo 2^64, so every run has a form.
enum IntegerRunCoding {
  static let progression: UInt8 = 0x10

  static func encode(_ values: UnsafePointer<Int64>, count: Int, into writer: inout NodeWriter) {
    guard count > 0 else { return }
    let step = count > 1 ? values[1] &- values[0] : 0
    var end = 1
    while end < count, values[end] &- values[end - 1] == step { end += 1 }
    if end == count {
      writer.byte(step == 0 ? 0 : progression)
      writer.signed(values[0])
      if step != 0 { writer.signed(step) }
      return
    }
    var least = values[0]
    var most = values[0]
    for index in 1..<count {
      least = min(least, values[index])
      most = max(most, values[index])
    }
    let range = UInt64(bitPattern: most &- least)
    let width = range <= 0xFF ? 1 : range <= 0xFFFF ? 2 : range <= 0xFFFF_FFFF ? 4 : 8
    writer.byte(UInt8(width))
    writer.signed(least)
    writer.reserve(count * width) { target in
      switch width {
      case 1:
        let out = target.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count { out[index] = UInt8(truncatingIfNeeded: values[index] &- least) }
      case 2: narrow(values, least, count, UInt16.self, target)
      case 4: narrow(values, least, count, UInt32.self, target)
      default: narrow(values, least, count, UInt64.self, target)
      }
    }
  }

  private static func narrow<T: FixedWidthInteger>(
    _ values: UnsafePointer<Int64>, _ base: Int64, _ count: Int, _ type: T.Type, _ target: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      let value = T(truncatingIfNeeded: values[index] &- base).littleEndian
      target.storeBytes(of: value, toByteOffset: index * MemoryLayout<T>.size, as: T.self)
    }
  }

  static func decode(_ reader: inout NodeReader, count: Int, into values: UnsafeMutablePointer<Int64>) throws {
    guard count > 0 else { return }
    let mode = try reader.byte()
    let base = try reader.signed()
    switch mode {
    case 0:
      for index in 0..<count { values[index] = base }
    case progression:
      let step = try reader.signed()
      var value = base
      for index in 0..<count {
        values[index] = value
        value &+= step
      }
    case 1: widen(try reader.take(count), base, count, UInt8.self, values)
    case 2: widen(try reader.take(count * 2), base, count, UInt16.self, values)
    case 4: widen(try reader.take(count * 4), base, count, UInt32.self, values)
    case 8: widen(try reader.take(count * 8), base, count, UInt64.self, values)
    default: throw reader.damage("a run of integers has an unknown form")
    }
  }

  private static func widen<T: FixedWidthInteger>(
    _ source: UnsafeRawBufferPointer, _ base: Int64, _ count: Int, _ type: T.Type, _ values: UnsafeMutablePointer<Int64>
  ) {
    guard let start = source.baseAddress else { return }
    for index in 0..<count {
      let distance = T(littleEndian: start.loadUnaligned(fromByteOffset: index * MemoryLayout<T>.size, as: T.self))
      values[index] = base &+ Int64(truncatingIfNeeded: UInt64(distance))
    }
  }

  static func encode(_ values: [Int64], into writer: inout NodeWriter) {
    values.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      encode(base, count: buffer.count, into: &writer)
    }
  }

  static func decode(_ reader: inout NodeReader, count: Int) throws -> [Int64] {
    // All empty arrays are one object, into which this initializer would write.
    guard count > 0 else { return [] }
    return try [Int64](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let base = buffer.baseAddress { try decode(&reader, count: count, into: base) }
      initialized = count
    }
  }
}
