/// A place in the text of a query: a half-open range of UTF-8 offsets.
///
/// Spans serve diagnostics only. All spans are equal, so that two trees are equal when they say the same.
public struct SourceSpan: Hashable, Sendable {
  /// The offset of the first byte.
  public var start: Int
  /// The offset behind the last byte.
  public var end: Int

  /// A range of offsets.
  public init(_ start: Int = 0, _ end: Int = 0) {
    self.start = start
    self.end = end
  }

  /// The span of a node that was made in code.
  public static let none = SourceSpan()

  /// The span from the start of this one to the end of another.
  public func through(_ other: SourceSpan) -> SourceSpan { SourceSpan(start, Swift.max(end, other.end)) }

  /// Always true.
  public static func == (left: SourceSpan, right: SourceSpan) -> Bool { true }
  /// Adds nothing, as all spans are equal.
  public func hash(into hasher: inout Hasher) {}
}
