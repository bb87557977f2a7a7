/// A way from an object to a value: `manager.name`, `nums[0]`, `@links.Person.dogs.name`.
public struct QueryPath: Hashable, Sendable {
  public var elements: [Element]
  public var span: SourceSpan

  public init(_ elements: [Element], span: SourceSpan = .none) {
    self.elements = elements
    self.span = span
  }

  /// The path of dot-separated names in code; nothing is parsed but the dots.
  public init(names: String) {
    self.init(names.split(separator: ".", omittingEmptySubsequences: false).map { Element(.name(String($0))) })
  }

  /// One step of a path.
  public struct Element: Hashable, Sendable {
    public var step: Step
    public var span: SourceSpan

    public init(_ step: Step, span: SourceSpan = .none) {
      self.step = step
      self.span = span
    }
  }

  /// What a step does.
  public enum Step: Hashable, Sendable {
    /// A property, or a key of a dictionary.
    case name(String)
    /// `@links.Class.property`.
    case backlinks(className: String, property: String)
    /// `@links` directly before `@count`: links from everywhere.
    case allBacklinks
    /// `[3]`.
    case index(Int)
    /// `[LAST]`. `[FIRST]` is index 0.
    case last
    /// `[*]`.
    case all
    /// `["key"]`.
    case key(String)
    /// `[$0]`: an index or a key.
    case argument(Int)
    /// `@keys`.
    case keys
    /// `@values`.
    case values
    /// `$K0`: a whole path as argument.
    case keyPathArgument(Int)
  }
}
