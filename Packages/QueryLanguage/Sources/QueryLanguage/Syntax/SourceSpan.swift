/// Where in the text of a query something stands: a half-open range of UTF-8 offsets.
///
/// Spans serve diagnostics only. All spans are equal, so that two trees are equal when they say the same.
public struct SourceSpan: Hashable, Sendable {
  public var start: Int
  public var end: Int

  public init(_ start: Int = 0, _ end: Int = 0) {
    self.start = start
    self.end = end
  }

  /// The span of something that was not read from a text.
  public static let none = SourceSpan()

  /// The span from the start of this one to the end of another.
  public func through(_ other: SourceSpan) -> SourceSpan { SourceSpan(start, Swift.max(end, other.end)) }

  public static func == (left: SourceSpan, right: SourceSpan) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
