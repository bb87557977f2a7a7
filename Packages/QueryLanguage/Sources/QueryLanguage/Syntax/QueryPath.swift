/// A way from an object to a value: `manager.name`, `nums[0]`, `@links.Person.dogs.name`.
public struct QueryPath: Hashable, Sendable {
  /// The steps, from the object on.
  public var elements: [Element]
  /// The place in the text.
  public var span: SourceSpan

  /// A path of steps.
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
    /// The kind of step.
    public var step: Step
    /// The place in the text.
    public var span: SourceSpan

    /// A step; trees made in code need no span.
    public init(_ step: Step, span: SourceSpan = .none) {
      self.step = step
      self.span = span
    }
  }

  /// The kinds of steps.
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
