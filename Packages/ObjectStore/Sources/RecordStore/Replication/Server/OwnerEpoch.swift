/// The term in which one server owns a realm and numbers its versions. A realm has one owner at a time; each next owner has
/// a higher epoch. 0 where ownership never changed.
public struct OwnerEpoch: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number.
  public var rawValue: UInt64

  /// An epoch by its number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// An epoch by its number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// The epoch of a realm whose ownership never changed.
  public static let first = OwnerEpoch(0)

  /// Whether one epoch is earlier than another.
  public static func < (left: OwnerEpoch, right: OwnerEpoch) -> Bool { left.rawValue < right.rawValue }
}
