/// The reason why data could not be read from or written to a file of another format.
public struct ExchangeError: Error, Hashable, Sendable {
  /// The problem, and the advice to the reader.
  public var message: String
  /// The file with the problem; nil when no single file has it.
  public var file: String?
  /// The line, counted from 1; nil where the format has no lines.
  public var line: Int?
  /// The column in bytes, counted from 1.
  public var column: Int?
  /// The path of the value in the data, such as `Person[7].age`.
  public var place: String?

  /// An error with all its parts.
  public init(_ message: String, file: String? = nil, line: Int? = nil, column: Int? = nil, place: String? = nil) {
    self.message = message
    self.file = file
    self.line = line
    self.column = column
    self.place = place
  }

  init(_ message: String, at position: TextPosition?, in file: String?, place: String? = nil) {
    self.init(message, file: file, line: position?.line, column: position?.column, place: place)
  }
}

extension ExchangeError: CustomStringConvertible {
  /// One line: `people.csv:3:14: Person.age: expected an integer, found 'x'.`
  public var description: String {
    var text = file ?? ""
    if let line { text += ":\(line)" + (column.map { ":\($0)" } ?? "") }
    if !text.isEmpty { text += ": " }
    if let place { text += place + ": " }
    return text + message
  }
}

/// A place in a text, counted from 1; columns in bytes.
struct TextPosition: Hashable, Sendable {
  var line = 1
  var column = 1
}
