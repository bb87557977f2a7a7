/// The text that a tree was read from. Serves diagnostics only: all source texts are equal.
public struct SourceText: Hashable, Sendable {
  /// The text as given; empty for trees made in code.
  public var text: String

  /// A source text.
  public init(_ text: String = "") { self.text = text }

  /// Always true.
  public static func == (left: SourceText, right: SourceText) -> Bool { true }
  /// Adds nothing, as all source texts are equal.
  public func hash(into hasher: inout Hasher) {}
}
