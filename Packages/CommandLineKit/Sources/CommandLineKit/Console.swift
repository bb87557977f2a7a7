/// Where a tool prints: standard output, standard error, and what is known about them.
///
/// Tests make one whose sinks collect text; tools use ``standard(environment:)``.
public struct Console: Sendable {
  /// A way to write text.
  public typealias Sink = @Sendable (String) -> Void

  /// Colours and weights of text.
  public enum Style: Int, Sendable {
    case bold = 1, dim = 2, underline = 4, red = 31, green = 32, yellow = 33, blue = 34, purple = 35, cyan = 36
  }

  /// Writes to standard output.
  public var output: Sink
  /// Writes to standard error.
  public var errors: Sink
  /// The width of the terminal behind standard output; nil if there is none.
  public var columns: Int?
  /// Whether ``styled(_:_:)`` has an effect on standard output.
  public var hasColour: Bool
  /// Whether error messages are coloured.
  public var errorsHaveColour: Bool

  /// A console with its own sinks.
  public init(
    output: @escaping Sink, errors: @escaping Sink, columns: Int? = nil, hasColour: Bool = false,
    errorsHaveColour: Bool = false
  ) {
    self.output = output
    self.errors = errors
    self.columns = columns
    self.hasColour = hasColour
    self.errorsHaveColour = errorsHaveColour
  }

  /// Prints a line on standard output.
  public func print(_ line: String = "") { output(line + "\n") }

  /// Prints a table, cut to the terminal if there is one.
  public func print(_ table: TextTable) { output(table.text(width: columns)) }

  /// Prints JSON: over several lines on a terminal, on one line elsewhere.
  public func print(_ value: JSONValue) { print(columns == nil ? value.text : value.prettyText) }

  /// Prints a line on standard error.
  public func note(_ line: String) { errors(line + "\n") }

  /// The text in some styles, if standard output is a terminal that shows them.
  public func styled(_ text: String, _ styles: Style...) -> String {
    hasColour ? Self.escape(text, styles) : text
  }

  /// Prints an error as every tool of the platform does: `error: what happened`.
  public func report(_ message: String) {
    let label = errorsHaveColour ? Self.escape("error:", [.bold, .red]) : "error:"
    note("\(label) \(message)")
  }

  private static func escape(_ text: String, _ styles: [Style]) -> String {
    "\u{1B}[" + styles.map { String($0.rawValue) }.joined(separator: ";") + "m" + text + "\u{1B}[0m"
  }
}
