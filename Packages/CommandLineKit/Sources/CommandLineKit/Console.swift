import TextWidth

/// The output of a tool: standard output, standard error, and what is known about them.
///
/// Text for people is a ``ConsoleText``, in which text from elsewhere is cleaned. Text for programs is printed with
/// ``print(json:)``, ``writeJSON(_:)`` and ``write(exactly:)``.
///
/// Tests make one whose sinks collect text; tools use ``standard(environment:)``.
public struct Console: Sendable {
  /// A way to write text.
  public typealias Sink = @Sendable (String) -> Void

  /// Colours and weights of text.
  public enum Style: Int, Sendable {
    case bold = 1, dim = 2, underline = 4, red = 31, green = 32, yellow = 33, blue = 34, purple = 35, cyan = 36
  }

  private let output: Sink
  private let errors: Sink
  /// The width of the terminal behind standard output; nil if there is none.
  public var columns: Int?
  /// Whether `styled` has an effect on standard output.
  public var hasColour: Bool
  /// Whether error messages are coloured.
  public var errorsHaveColour: Bool
  /// The width of the terminal behind standard error; nil if there is none.
  public var errorColumns: Int?
  /// Whether notes and errors are JSON, one line each.
  public var isForPrograms = false

  /// A console with its own sinks: one for standard output, one for standard error.
  public init(
    output: @escaping Sink, errors: @escaping Sink, columns: Int? = nil, hasColour: Bool = false,
    errorsHaveColour: Bool = false, errorColumns: Int? = nil
  ) {
    self.output = output
    self.errors = errors
    self.columns = columns
    self.hasColour = hasColour
    self.errorsHaveColour = errorsHaveColour
    self.errorColumns = errorColumns
  }

  /// Prints a line on standard output.
  public func print(_ line: ConsoleText = "") { write(line + "\n") }

  /// Prints text on standard output as it is, without a line break after it.
  public func write(_ text: ConsoleText) { output(text.printed) }

  /// Prints a table, cut to the terminal if there is one.
  public func print(_ table: TextTable) { output(table.text(width: columns)) }

  /// Prints JSON: over several lines on a terminal, on one line elsewhere.
  public func print(json value: JSONOutput) { output((columns == nil ? value.text : value.prettyText) + "\n") }

  /// Prints a part of a text in JSON. Characters that a terminal would obey are escaped, which changes no value.
  public func writeJSON(_ text: String) { output(JSONOutput.escaped(text)) }

  /// Writes what another program or a file is to have, such as CSV: exactly, unless standard output is a terminal,
  /// where people would see it. There it is cleaned.
  public func write(exactly text: String) { output(columns == nil ? text : TextCleaning.lines(text)) }

  /// Prints a line on standard error; for programs as `{"note":…}`.
  public func note(_ line: ConsoleText) {
    guard !isForPrograms else { return note(json: .object([("note", .text(line.printed))])) }
    errors((line + "\n").printed)
  }

  /// Prints a line of JSON on standard error.
  func note(json: JSONOutput) { errors(json.text + "\n") }

  /// Shows a line on the terminal behind standard error in place of the one shown before; nil takes it away.
  func show(progress line: String?) { errors("\r\u{1B}[K" + (line ?? "")) }

  /// The console for a command line: for programs if it asks for JSON.
  func forPrograms(_ words: [String]) -> Console {
    guard words.prefix(while: { $0 != "--" }).contains("--json") else { return self }
    var console = self
    console.isForPrograms = true
    return console
  }

  /// Prints a question on standard error and stays on its line.
  func ask(_ question: ConsoleText) { errors(question.printed) }

  /// The text in some styles, if standard output is a terminal that shows them.
  public func styled(_ text: ConsoleText, _ styles: Style...) -> ConsoleText {
    hasColour ? .styled(text, styles) : text
  }

  /// Text from elsewhere in some styles, cleaned.
  public func styled(_ text: String, _ styles: Style...) -> ConsoleText {
    hasColour ? .styled(ConsoleText(text), styles) : ConsoleText(text)
  }

  /// Prints an error as every tool of the platform does: `error: what happened`.
  public func report(_ message: ConsoleText) {
    let label: ConsoleText = errorsHaveColour ? .styled("error:", [.bold, .red]) : "error:"
    note(label + " " + message)
  }
}
