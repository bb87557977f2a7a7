import DataModel
import QueryLanguage

/// Declared types.
extension Oracle {
  /// The declared type of the values of a side; nil for constants and lists.
  func type(of expression: QueryExpression, _ className: String) -> PropertyType? {
    switch expression {
    case .constant, .argument, .list: return nil
    case .subquery: return .int
    case .property(let node): return node.suffix == nil ? type(of: node.path, className) : .int
    case .aggregate(let node):
      let type = typeOfAggregate(node, className)
      guard node.operation == .average else { return type }
      return type == .decimal128 || type == .any ? type : .double
    case .arithmetic(let node):
      let types = [
        type(of: node.left, className) ?? constantType(node.left),
        type(of: node.right, className) ?? constantType(node.right),
      ]
      if types.contains(.any) { return .any }
      for wide in [PropertyType.decimal128, .double, .float] where types.contains(wide) { return wide }
      return .int
    }
  }

  private func constantType(_ expression: QueryExpression) -> PropertyType? {
    if case .constant(let constant, _) = expression { constant.value?.propertyType } else { nil }
  }

  func typeOfAggregate(_ node: AggregateNode, _ className: String) -> PropertyType {
    guard let name = node.property else { return type(of: node.path, className) ?? .int }
    return type(of: QueryPath(node.path.elements + [QueryPath.Element(.name(name))]), className) ?? .int
  }

  private func type(of path: QueryPath, _ className: String) -> PropertyType? {
    var className = className
    var found: PropertyType?
    var isDictionaryOfObjects = false
    for element in path.elements {
      switch element.step {
      case .backlinks(let origin, _):
        className = origin
        found = .object
      case .keys: found = .string
      case .name(let name):
        if let property = property(name, className), found == nil || found == .object {
          found = property.type
          isDictionaryOfObjects = property.collection == .dictionary && property.type == .object
          if let target = property.objectClassName { className = target }
        } else if name.lowercased() == "length", !isDictionaryOfObjects {
          if path.elements.count > 1 { found = found == .any || found == .string || found == .data ? .int : found }
        }
      case .allBacklinks, .index, .last, .all, .key, .argument, .values, .keyPathArgument: continue
      }
    }
    return found
  }
}
