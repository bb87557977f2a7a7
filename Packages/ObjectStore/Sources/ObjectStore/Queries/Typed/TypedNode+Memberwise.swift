import DataModel
import QueryLanguage

// Equality with a custom type that is stored as an embedded object. No other object links to the embedded one, so the
// comparison is of its properties.

extension TypedNode {
  /// An equality or inequality with a value that is stored as an embedded object, as a condition on its properties; in
  /// a collection, of some element. Nil for every other comparison.
  static func memberwise(_ operation: ComparisonOperation, _ left: TypedNode, _ right: TypedNode) -> TypedNode? {
    guard operation == .equal || operation == .notEqual, case .path(let path) = left, path.ending == nil,
      case .constant(let value) = right, let object = embedded(value)
    else { return nil }
    if case .key? = path.steps.last { return nil }
    let equal = object.binding.properties.compactMap { property -> TypedNode? in
      equality(of: property, object, path)
    }.reduce(TypedNode.constant(true)) { if case .constant = $0 { $1 } else { .and($0, $1) } }
    let condition = operation == .equal ? equal : .not(equal)
    return path.isAny ? .comparison(.greater, .count(condition), .constant(0), []) : condition
  }

  private static func equality(of property: BoundProperty, _ object: EmbeddedObject, _ path: TypedPath) -> TypedNode? {
    let type = property.access.propertyType
    if type.type == .linkingObjects { return nil }
    func check(_ holds: Bool, _ what: String) {
      let name = "\(Swift.type(of: object).className()).\(property.name)"
      rule(holds, "Unsupported property '\(name)' for memberwise equality query: \(what) implemented.")
    }
    check(type.collection == .single, "equality on collections is not")
    check(type.type != .object, "object links are not")
    var member = path
    member.steps.append(.name(property.name))
    return .comparison(.equal, .path(member), .constant(object.value(forKey: property.name)), [])
  }

  /// The embedded object as which a value is stored; nil for other values.
  private static func embedded(_ value: Any?) -> EmbeddedObject? {
    var value = value
    if let optional = value as? any AnyOptional { value = optional.unwrapped }
    return (value as? any _CustomPersistable)?._persistedValue as? EmbeddedObject
  }
}
