/// Why data could not be read from or written to a file of another format.
public struct ExchangeError: Error, Hashable, Sendable {
  /// What is wrong, and what to do.
  public var message: String
  /// The file that is wrong; nil when it is no matter of one file.
  public var file: String?
  /// Counted from 1; nil where the format has no lines.
  public var line: Int?
  /// Counted from 1, in bytes.
  public var column: Int?
  /// What was being read, such as `Person[7].age`.
  public var place: String?

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
  /// `people.csv:3:14: Person.age: expected an integer, found 'x'.`
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
