/// The refusal of a value or a schema that came from outside.
public enum DataModelError: Error, Equatable, Sendable {
  /// `text` does not denote a value of `type`.
  case invalidText(type: String, text: String)
  /// Two classes of one schema share a name.
  case duplicateClass(String)
  /// Two properties of one class share a name.
  case duplicateProperty(className: String, property: String)
  /// A property links to a class that the schema does not have.
  case unknownLinkTarget(className: String, property: String, target: String)
  /// A property's declaration is impossible; `reason` is a whole sentence.
  case invalidProperty(className: String, property: String, reason: String)
}

extension DataModelError: CustomStringConvertible {
  /// A sentence that names the class and the property, or the text.
  public var description: String {
    switch self {
    case .invalidText(let type, let text): "'\(text)' is not the text of a value of type \(type)."
    case .duplicateClass(let name): "The schema declares class '\(name)' twice."
    case .duplicateProperty(let className, let property): "Class '\(className)' declares property '\(property)' twice."
    case .unknownLinkTarget(let className, let property, let target):
      "Property '\(className).\(property)' links to class '\(target)', which the schema does not have."
    case .invalidProperty(let className, let property, let reason): "Property '\(className).\(property)': \(reason)"
    }
  }
}
