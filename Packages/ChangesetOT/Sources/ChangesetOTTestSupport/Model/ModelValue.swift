public import ChangesetOT
import DataModel

/// A value of a field, an element or a key in a ``ModelState``.
///
/// Links are kept by class and key, whether or not the object exists.
public indirect enum ModelValue: Hashable, Sendable {
  /// Null, a scalar or a link.
  case scalar(Payload)
  /// An embedded object.
  case object([String: ModelValue])
  /// A list.
  case list([ModelValue])
  /// A dictionary.
  case dictionary([String: ModelValue])
  /// A set.
  case set(Set<Payload>)

  /// Null.
  public static let null = ModelValue.scalar(.null)
}

extension ModelColumn {
  /// The value in a new object.
  func initialValue() -> ModelValue {
    switch collection {
    case .list: return .list([])
    case .dictionary: return .dictionary([:])
    case .set: return .set([])
    case .single: break
    }
    guard !isNullable, let type else { return .null }
    switch type {
    case .int: return .scalar(.int(0))
    case .bool: return .scalar(.bool(false))
    case .string: return .scalar(.string(""))
    case .data: return .scalar(.data([]))
    case .float: return .scalar(.float(0))
    case .double: return .scalar(.double(0))
    case .timestamp, .decimal128, .link, .objectId, .uuid, .null, .objectValue, .dictionary, .erased, .list, .set:
      return .null
    }
  }
}

extension ModelValue: CustomStringConvertible {
  /// The value for people, with sorted members.
  public var description: String {
    switch self {
    case .scalar(let payload): "\(payload)"
    case .object(let fields): "{" + Self.text(fields) + "}"
    case .list(let items): "\(items)"
    case .dictionary(let entries): "dict{" + Self.text(entries) + "}"
    case .set(let values): "set{" + values.map(\.description).sorted().joined(separator: ", ") + "}"
    }
  }

  static func text(_ fields: [String: ModelValue]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }
}
