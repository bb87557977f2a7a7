/// The time of a changeset: milliseconds since 2015-01-01T00:00:00Z, below 2^63.
public struct OriginTimestamp: RawRepresentable, Hashable, Sendable, Comparable {
  /// Milliseconds since 2015-01-01T00:00:00Z; decimal text on the wire.
  public var rawValue: UInt64
  /// The timestamp with these milliseconds.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The timestamp with these milliseconds.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// Milliseconds from 1970-01-01 to 2015-01-01.
  public static let unixOffsetInMilliseconds: Int64 = 1_420_070_400_000

  /// The timestamp of a Unix time; times before 2015 become 0.
  public init(unixMilliseconds: Int64) {
    rawValue = UInt64(max(0, unixMilliseconds - Self.unixOffsetInMilliseconds))
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var unixMilliseconds: Int64 { Int64(clamping: rawValue) &+ Self.unixOffsetInMilliseconds }

  /// The order of time.
  public static func < (left: OriginTimestamp, right: OriginTimestamp) -> Bool { left.rawValue < right.rawValue }
}

/// The time and the author of a changeset: the total order that decides conflicts.
///
///     ChangesetOrigin(timestamp: OriginTimestamp(10), file: FileIdent(9))
///       < ChangesetOrigin(timestamp: OriginTimestamp(20), file: FileIdent(2))       // true: times first, then idents
public struct ChangesetOrigin: Hashable, Sendable, Comparable {
  /// The time of the write transaction, by its author's clock.
  public var timestamp: OriginTimestamp
  /// The author's file.
  public var file: FileIdent

  /// An origin.
  public init(timestamp: OriginTimestamp, file: FileIdent) {
    self.timestamp = timestamp
    self.file = file
  }

  /// Whether the left origin is the earlier one: by timestamp, then by file ident.
  public static func < (left: ChangesetOrigin, right: ChangesetOrigin) -> Bool {
    left.timestamp != right.timestamp ? left.timestamp < right.timestamp : left.file < right.file
  }
}
