import Foundation

/// The content of an item: a plain value, apart from where it is stored.
public struct ItemFields: Equatable, Sendable {
  /// The thing to do, on one line.
  public var title: String
  /// Whether it is done.
  public var isDone: Bool
  /// 0 for none, 1 for A (most urgent) to 26 for Z.
  public var priority: Int
  /// The day by which it is to be done.
  public var due: Day?
  /// Further text, of any number of lines.
  public var notes: String
  /// When the item was made; nil where a file does not say.
  public var created: Date?
  /// When it was done; nil if it is open, or nobody said.
  public var completed: Date?

  /// The fields of an item.
  public init(
    title: String, isDone: Bool = false, priority: Int = 0, due: Day? = nil, notes: String = "",
    created: Date? = nil, completed: Date? = nil
  ) {
    self.title = title
    self.isDone = isDone
    self.priority = priority
    self.due = due
    self.notes = notes
    self.created = created
    self.completed = completed
  }
}

/// An item with its identity.
@dynamicMemberLookup
public struct Item: Equatable, Sendable {
  /// Identifies the item on every device.
  public let key: String
  /// The content.
  public var fields: ItemFields

  /// An item.
  public init(key: String, fields: ItemFields) {
    self.key = key
    self.fields = fields
  }

  /// The fields can be read and written as if they were the item's own.
  public subscript<Value>(dynamicMember path: WritableKeyPath<ItemFields, Value>) -> Value {
    get { fields[keyPath: path] }
    set { fields[keyPath: path] = newValue }
  }
}

/// A priority as a letter.
public enum Priority {
  /// The letter of a priority: 1 is A; an empty text for none.
  public static func letter(_ priority: Int) -> String {
    guard (1...26).contains(priority) else { return "" }
    return String(UnicodeScalar(UInt8(64 + priority)))
  }

  /// The priority of a letter, in either case; nil for other text.
  public static func number(_ letter: some StringProtocol) -> Int? {
    guard letter.utf8.count == 1, let byte = letter.uppercased().utf8.first, (0x41...0x5A).contains(byte) else {
      return nil
    }
    return Int(byte) - 64
  }
}
