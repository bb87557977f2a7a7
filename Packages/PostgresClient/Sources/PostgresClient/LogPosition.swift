/// A position in the write-ahead log of a database.
public struct LogPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The byte.
  public var rawValue: UInt64

  /// A position.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// A position from PostgreSQL's text, such as `0/16B3748`; nil for any other.
  public init?(_ text: String) {
    let halves = text.split(separator: "/")
    guard halves.count == 2, let high = UInt64(halves[0], radix: 16), let low = UInt64(halves[1], radix: 16),
      high <= UInt64(UInt32.max), low <= UInt64(UInt32.max)
    else { return nil }
    rawValue = high << 32 | low
  }

  /// PostgreSQL's text.
  public var description: String {
    String(rawValue >> 32, radix: 16, uppercase: true) + "/"
      + String(rawValue & 0xFFFF_FFFF, radix: 16, uppercase: true)
  }

  /// By their places in the log.
  public static func < (left: LogPosition, right: LogPosition) -> Bool { left.rawValue < right.rawValue }
}
