/// A collection that may stand in a query.
protocol LiteralElements {
  var literalElements: [Any] { get }
}

extension Results: LiteralElements {
  var literalElements: [Any] { Array(self) }
}
extension List: LiteralElements {
  var literalElements: [Any] { Array(self) }
}
extension Set: LiteralElements {
  var literalElements: [Any] { Array(self) }
}
extension LinkingObjects: LiteralElements {
  var literalElements: [Any] { Array(self) }
}
extension AnyRealmCollection: LiteralElements {
  var literalElements: [Any] { Array(self) }
}

extension MutableSet: LiteralElements {
  var literalElements: [Any] { Array(self) }
}

/// The elements of whatever can be a collection in a literal.
func elementsOfLiteral(_ any: Any) -> [Any]? { (any as? any LiteralElements)?.literalElements ?? any as? [Any] }

/// A keyed collection that may stand in a literal.
protocol LiteralEntries {
  var literalEntries: [String: Any] { get }
}

extension Map: LiteralEntries {
  var literalEntries: [String: Any] {
    Dictionary(entries().map { ($0.key, $0.value as Any) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The entries of whatever can be a dictionary in a literal.
func entriesOfLiteral(_ any: Any) -> [String: Any]? {
  (any as? any LiteralEntries)?.literalEntries ?? any as? [String: Any]
}
