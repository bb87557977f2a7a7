import CLibPQ

/// A type of PostgreSQL's, by its number.
public struct PostgresType: RawRepresentable, Hashable, Sendable {
  /// The number in the catalogue `pg_type`.
  public var rawValue: UInt32
  /// A type by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Integers of 64 bits.
  public static let bigint = PostgresType(rawValue: 20)
  /// Texts without a limit.
  public static let text = PostgresType(rawValue: 25)
  /// Bytes.
  public static let bytea = PostgresType(rawValue: 17)
}
