public import ChangesetOT
import DataModel
import FoundationEssentials

/// A question about one object and one user, for ``ServerHistory/explain(_:)``.
public struct ViewQuestion: Hashable, Sendable {
  /// The class of the object.
  public var className: String
  /// The key of the object as text: a number, the string itself, the digits of an ObjectId or UUID, `{2, 5}` for an object
  /// without a primary key; nil for the primary key null.
  public var key: String?
  /// The user. Each device is looked at with the rights of its own session.
  public var access: ViewAccess
  /// The client file of one device; nil for all devices of the user.
  public var device: FileIdent?
  /// Whether the user asks about themselves: the answer then tells nothing of what they may not read.
  public var isOwn: Bool

  /// A question; by default that of an administrator, about all devices of the user.
  public init(
    className: String, key: String?, access: ViewAccess, device: FileIdent? = nil, isOwn: Bool = false
  ) {
    self.device = device
    self.className = className
    self.key = key
    self.access = access
    self.isOwn = isOwn
  }
}

/// A key that cannot be one of its class.
public struct ViewQuestionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The mistake and the remedy.
  public var description: String
}

extension ObjectKey {
  /// The key that a text stands for in a class whose keys have a type.
  ///
  /// - Throws: ``ViewQuestionError`` when the text is none.
  init(text: String?, type: ObjectKeyType, className: String) throws(ViewQuestionError) {
    guard let text else {
      self = .null
      return
    }
    let key: ObjectKey? =
      switch type {
      case .null: nil
      case .int: Int64(text).map { .int($0) }
      case .string: .string(text)
      case .objectId: (try? ObjectId(string: Self.inner(text, of: "oid"))).map { .objectId($0) }
      case .uuid: UUID(uuidString: Self.inner(text, of: "uuid")).map { .uuid($0) }
      case .global: GlobalKey(text: text).map { .global($0) }
      }
    guard let key else {
      throw ViewQuestionError(description: "'\(text)' is no key of class '\(className)': \(Self.form(of: type))")
    }
    self = key
  }

  private static func inner(_ text: String, of name: String) -> String {
    text.hasPrefix(name + "(") && text.hasSuffix(")") ? String(text.dropFirst(name.count + 1).dropLast()) : text
  }

  private static func form(of type: ObjectKeyType) -> String {
    switch type {
    case .null, .string: "it is a text"
    case .int: "write a number, such as 7"
    case .objectId: "write the 24 hexadecimal digits of an ObjectId"
    case .uuid: "write a UUID with its dashes"
    case .global: "write the file and the counter, such as {2, 5}"
    }
  }
}

extension GlobalKey {
  /// The key of a text such as `{2, 5}`; nil for any other text.
  init?(text: String) {
    guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
    let parts = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let high = UInt64(parts[0]), let low = UInt64(parts[1].drop { $0 == " " }) else {
      return nil
    }
    self.init(high: high, low: low)
  }
}
