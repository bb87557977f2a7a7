import QueryLanguage
import RecordStore

/// Writes a condition as a predicate format string with its arguments.
struct TypedTextWriter {
  private(set) var text = ""
  private(set) var arguments: [Any] = []
  private var counter = 0

  /// A condition.
  mutating func write(_ node: TypedNode) {
    switch node {
    case .path(let path):
      path.write(to: &text, &arguments)
      text += " == true"
    case .not(.path(let path)):
      path.write(to: &text, &arguments)
      text += " == false"
    case .not(let inner): writeNegation(inner)
    case .and(let left, let right): writeCompound(left, "&&", right)
    case .or(let left, let right): writeCompound(left, "||", right)
    case .comparison, .between, .geoWithin: writeComparison(node, prefix: "")
    case .constant(let value): text += value as? Bool == true ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .count: writeValue(node)
    }
  }

  private mutating func writeNegation(_ inner: TypedNode) {
    if case .comparison = inner { return writeComparison(inner, prefix: "NOT ") }
    if case .geoWithin = inner { return writeComparison(inner, prefix: "NOT ") }
    text += "NOT "
    write(inner)
  }

  private mutating func writeCompound(_ left: TypedNode, _ sign: String, _ right: TypedNode) {
    text += "("
    write(left)
    text += " \(sign) "
    write(right)
    text += ")"
  }

  private mutating func writeComparison(_ node: TypedNode, prefix: String) {
    text += "(" + prefix
    switch node {
    case .comparison(let operation, let left, let right, let options):
      writeValue(left)
      let letters =
        (options.contains(.caseInsensitive) ? "c" : "") + (options.contains(.diacriticInsensitive) ? "d" : "")
      text += " \(operation.rawValue)" + (letters.isEmpty ? "" : "[\(letters)]") + " "
      writeValue(right)
    case .between(let value, let low, let high):
      writeValue(value)
      text += " BETWEEN {%@, %@}"
      arguments += [PredicateArgument.plain(low), PredicateArgument.plain(high)]
    case .geoWithin(let value, let shape):
      writeValue(value)
      text += " IN %@"
      arguments.append(shape)
    case .constant, .path, .and, .or, .not, .count: break
    }
    text += ")"
  }

  /// One side of a comparison.
  private mutating func writeValue(_ node: TypedNode) {
    switch node {
    case .constant(let value):
      text += "%@"
      arguments.append(PredicateArgument.plain(value))
    case .path(let path): path.write(to: &text, &arguments)
    case .count(let inner):
      counter += 1
      let variable = "$col\(counter)"
      let (collection, condition) = inner.subquery(variable)
      text += "SUBQUERY(\(collection.joined(separator: ".")), \(variable), "
      write(condition)
      text += ").@count"
    case .comparison, .between, .and, .or, .not, .geoWithin:
      violated("A condition is not a value; compare its count.")
    }
  }
}
