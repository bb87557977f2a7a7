/// A value of the directory, as a SQL database stores it.
public enum DirectoryValue: Hashable, Sendable {
  /// A text; nil is NULL. NULL of any type is read as this one.
  case text(String?)
  /// A number; nil is NULL.
  case integer(Int64?)
  /// Bytes.
  case blob([UInt8])

  static func flag(_ value: Bool) -> DirectoryValue { .integer(value ? 1 : 0) }

  /// Whether the value is NULL.
  var isNull: Bool {
    switch self {
    case .text(let text): text == nil
    case .integer(let number): number == nil
    case .blob: false
    }
  }
}
