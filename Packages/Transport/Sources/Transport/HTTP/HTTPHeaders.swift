/// The header fields of an HTTP message, in order. Names compare without regard to case.
///
///     var headers: HTTPHeaders = ["Content-Type": "text/plain"]
///     headers["content-type"]  // "text/plain"
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// One header line.
  public struct Field: Hashable, Sendable {
    /// The name as written.
    public var name: String
    /// The value without surrounding blanks.
    public var value: String

    /// A header line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The lines in order.
  public private(set) var fields: [Field]

  /// Headers from a literal, in order.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// Headers from lines, in order.
  public init(_ fields: [Field]) { self.fields = fields }

  /// The value of the last line called `name`. Setting replaces all of them; nil removes them.
  public subscript(name: String) -> String? {
    get { fields.last { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// Adds a line, keeping others of the same name.
  public mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

  /// The values of all lines called `name`, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// The elements of a comma-separated list, over all lines called `name`, trimmed, without empty ones.
  public func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map(\.trimmingHTTPBlanks).filter { !$0.isEmpty }
  }

  /// Whether the list called `name` has `token`, without regard to case: `Connection: keep-alive, Upgrade`.
  public func hasToken(_ token: String, in name: String) -> Bool {
    list(name).contains { $0.equalsIgnoringASCIICase(token) }
  }

  /// `name: value` lines, for logs. Values may be secret.
  public var description: String { fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }
}

extension String {
  func equalsIgnoringASCIICase(_ other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { left, right in left.asciiLowercased == right.asciiLowercased }
  }
}

extension StringProtocol {
  /// The text without blanks and tabs at its ends.
  var trimmingHTTPBlanks: String {
    var view = self[...]
    while let character = view.first, character == " " || character == "\t" { view = view.dropFirst() }
    while let character = view.last, character == " " || character == "\t" { view = view.dropLast() }
    return String(view)
  }
}

extension UInt8 {
  var asciiLowercased: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}
