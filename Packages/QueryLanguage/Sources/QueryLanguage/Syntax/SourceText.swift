/// The text that a tree was read from. Serves diagnostics only: all source texts are equal.
public struct SourceText: Hashable, Sendable {
  public var text: String

  public init(_ text: String = "") { self.text = text }

  public static func == (left: SourceText, right: SourceText) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
