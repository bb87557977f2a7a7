import DataModel

/// Writes a tree as text: the one canonical text that `Docs/QueryLanguage.md` describes under "Printing".
struct QueryPrinter {
  private(set) var text = ""
  /// The first name met that the language cannot write.
  private(set) var unwritable: String?

  mutating func write(_ query: ParsedQuery) {
    write(query.predicate)
    for clause in query.clauses {
      text += " "
      write(clause)
    }
  }

  // MARK: Predicates

  mutating func write(_ predicate: QueryPredicate) {
    switch predicate {
    case .always(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner):
      text += "!("
      write(inner)
      text += ")"
    case .and(let parts):
      write(parts, separator: " and ") { (printer: inout QueryPrinter, part) in
        guard case .or = part else { return printer.write(part) }
        printer.text += "("
        printer.write(part)
        printer.text += ")"
      }
    case .or(let parts):
      write(parts, separator: " or ") { (printer: inout QueryPrinter, part) in printer.write(part) }
    case .comparison(let node):
      write(node.left)
      text += " \(node.operation.rawValue)"
      if node.options.contains([.caseInsensitive, .diacriticInsensitive]) {
        text += "[cd]"
      } else if node.options.contains(.caseInsensitive) {
        text += "[c]"
      } else if node.options.contains(.diacriticInsensitive) {
        text += "[d]"
      }
      text += " "
      write(node.right)
    case .between(let node):
      write(node.value)
      text += " BETWEEN "
      write(node.bounds)
    case .geoWithin(let node):
      write(.property(node.property))
      text += " GEOWITHIN "
      switch node.shape {
      case .literal(let shape): write(shape)
      case .argument(let index): text += "$\(index)"
      }
    }
  }

  mutating func write<T>(_ parts: [T], separator: String, _ body: (inout QueryPrinter, T) -> Void) {
    for (position, part) in parts.enumerated() {
      if position > 0 { text += separator }
      body(&self, part)
    }
  }

  // MARK: Expressions

  mutating func write(_ expression: QueryExpression) {
    if let quantifier = expression.quantifier { text += "\(quantifier.rawValue) " }
    switch expression {
    case .constant(let constant, _): write(constant)
    case .argument(let node): text += "$\(node.index)"
    case .list(let node):
      text += "{"
      write(node.elements, separator: ", ") { (printer: inout QueryPrinter, element) in
        switch element {
        case .constant(let constant): printer.write(constant)
        case .argument(let index): printer.text += "$\(index)"
        }
      }
      text += "}"
    case .property(let node):
      write(node.path)
      if let suffix = node.suffix { text += ".\(suffix.rawValue)" }
    case .aggregate(let node):
      write(node.path)
      text += ".\(node.operation.rawValue)"
      if let property = node.property {
        text += "."
        write(name: property)
      }
    case .subquery(let node):
      text += "SUBQUERY("
      write(node.path)
      text += ", "
      write(name: node.variable)
      text += ", "
      write(node.predicate)
      text += ").@count"
    case .arithmetic(let node):
      text += "("
      write(node.left)
      text += " \(node.operation.rawValue) "
      write(node.right)
      text += ")"
    }
  }

  // MARK: Clauses

  mutating func write(_ clause: QueryClause) {
    switch clause {
    case .sort(let keys):
      text += "SORT("
      write(keys, separator: ", ") { (printer: inout QueryPrinter, key) in
        printer.write(key.path)
        printer.text += key.isAscending ? " ASC" : " DESC"
      }
    case .distinct(let paths):
      text += "DISTINCT("
      write(paths, separator: ", ") { (printer: inout QueryPrinter, path) in printer.write(path) }
    case .include(let paths):
      text += "INCLUDE("
      write(paths, separator: ", ") { (printer: inout QueryPrinter, path) in printer.write(path) }
    case .limit(let count): text += "LIMIT(\(count)"
    }
    text += ")"
  }

  mutating func append(_ part: String) { text += part }

  mutating func refuse(_ name: String) { if unwritable == nil { unwritable = name } }
}
