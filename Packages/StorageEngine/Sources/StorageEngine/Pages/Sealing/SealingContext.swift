/// The identity of sealed content, which the seal covers: associated data of the cipher.
public enum SealingContext: Hashable, Sendable {
  /// A node under its number.
  case node(Int64)
  /// The root page of a version.
  case root(version: UInt64)
  /// An entry of a log, and the position of the entry before it; nil in files of formats before 6, which do not say it.
  case entry(log: String, position: Int64, after: Int64?)
  /// A record outside of snapshots, in files of formats before 6.
  case record(String)

  /// The associated data; different for different contexts.
  public var bytes: [UInt8] {
    var bytes: [UInt8]
    switch self {
    case .node(let number): bytes = Self.start(1, UInt64(bitPattern: number))
    case .root(let version): bytes = Self.start(2, version)
    case .entry(let log, let position, nil): bytes = Self.start(3, UInt64(bitPattern: position)) + Array(log.utf8)
    case .entry(let log, let position, let previous?):
      let gap = Self.start(5, UInt64(bitPattern: position &- previous))
      bytes = gap + Self.start(3, UInt64(bitPattern: position)) + Array(log.utf8)
    case .record(let name): bytes = Self.start(4, 0) + Array(name.utf8)
    }
    return bytes
  }

  private static func start(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 9) { bytes, count in
      bytes[0] = kind
      for index in 0..<8 { bytes[index + 1] = UInt8(truncatingIfNeeded: number >> UInt64(index * 8)) }
      count = 9
    }
  }
}

extension SealingContext: CustomStringConvertible {
  /// The context in words, for messages.
  public var description: String {
    switch self {
    case .node(let number): "node \(number)"
    case .root(let version): "root of version \(version)"
    case .entry(let log, let position, _): "entry \(position) of '\(log)'"
    case .record(let name): "record '\(name)'"
    }
  }
}
