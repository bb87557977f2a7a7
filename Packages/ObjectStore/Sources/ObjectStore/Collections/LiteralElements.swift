/// A collection that is accepted as a literal and as an argument of a query.
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

/// The elements of a literal that is a collection; nil for any other.
func elementsOfLiteral(_ any: Any) -> [Any]? { (any as? any LiteralElements)?.literalElements ?? any as? [Any] }

/// A keyed collection that is accepted as a literal.
protocol LiteralEntries {
  var literalEntries: [String: Any] { get }
}

extension Map: LiteralEntries {
  var literalEntries: [String: Any] {
    Dictionary(entries().map { ($0.key, $0.value as Any) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The entries of a literal that is a dictionary; nil for any other.
func entriesOfLiteral(_ any: Any) -> [String: Any]? {
  (any as? any LiteralEntries)?.literalEntries ?? any as? [String: Any]
}
