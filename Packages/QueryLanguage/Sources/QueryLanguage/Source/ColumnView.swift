/// One property of one cluster as an array, borrowed from the cluster.
///
/// Pointers need no alignment. Bit *i* of a bit array is bit `i % 64` of word `i / 64`, words little-endian; bits past
/// the last slot may be anything. Where a row is null, or no row lives, the value in the array may be anything.
public struct ColumnView {
  /// The layout of the values, one entry per slot.
  public enum Layout {
    /// Only reachable through ``QueryCluster/value(of:slot:)``.
    case generic
    /// Every row is null.
    case allNull
    /// Integers of 64 bits.
    case int64(UnsafeRawPointer)
    /// Bools, as a bit array of 256 bits (4 words) whatever the number of slots.
    case bits(UnsafeRawPointer)
    /// Floats of 32 bits.
    case float(UnsafeRawPointer)
    /// Doubles of 64 bits.
    case double(UnsafeRawPointer)
    /// Slot *i* has `length` bytes from `start`: two 32-bit numbers per slot, start first. In slots that are null or
    /// dead both have to be in range. Strings hold valid UTF-8.
    case ranges(UnsafeRawPointer, bytes: UnsafeRawPointer)
    /// Seconds (64 bits each) and nanoseconds (32 bits each).
    case timestamps(seconds: UnsafeRawPointer, nanoseconds: UnsafeRawPointer)
    /// Values of a fixed width whose order is that of their bytes: object ids (12) and UUIDs (16).
    case fixed(UnsafeRawPointer, width: Int)
    /// Row keys of linked objects, 64 bits each; negative for null and unresolved links.
    case links(UnsafeRawPointer)
  }

  /// The layout.
  public var layout: Layout
  /// A bit array of 256 bits in which a set bit means null; nil when no row is null. Not consulted for links.
  public var nulls: UnsafeRawPointer?
  /// For ``Layout/ranges(_:bytes:)``, when kept: the first four bytes of each of 256 slots, zeros after its end.
  public var heads: UnsafeRawPointer?
  /// The least and the greatest value that is not null, when known, for integer layouts.
  public var bounds: ClosedRange<Int64>?
  /// The least and the greatest value that is not null, when known and none is NaN, for `float` and `double`.
  public var floatingBounds: ClosedRange<Double>?

  /// A view of arrays that the caller keeps alive.
  public init(
    _ layout: Layout, nulls: UnsafeRawPointer? = nil, bounds: ClosedRange<Int64>? = nil,
    floatingBounds: ClosedRange<Double>? = nil
  ) {
    self.layout = layout
    self.nulls = nulls
    self.bounds = bounds
    self.floatingBounds = floatingBounds
  }

  /// The column of a property that has no array.
  public static var generic: ColumnView { ColumnView(.generic) }
}
