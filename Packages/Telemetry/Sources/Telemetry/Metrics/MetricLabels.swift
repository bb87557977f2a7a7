/// Label names with values, sorted by name. The labels distinguish the members of a family of metrics.
public struct MetricLabels: Hashable, Comparable, Sendable, ExpressibleByDictionaryLiteral {
  let pairs: [Pair]

  struct Pair: Hashable, Comparable, Sendable {
    var name: String
    var value: String

    static func < (left: Pair, right: Pair) -> Bool { (left.name, left.value) < (right.name, right.value) }
  }

  /// Labels from pairs; every name once.
  public init(_ labels: [(String, String)]) {
    precondition(labels.allSatisfy { Self.isName($0.0) }, "a label name has letters, digits and _ only")
    pairs = labels.map { Pair(name: $0.0, value: $0.1) }.sorted()
    precondition(zip(pairs, pairs.dropFirst()).allSatisfy { $0.name != $1.name }, "a label name occurs once")
  }

  /// Labels from a literal; every name once.
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }

  /// Compares name by name, then value by value.
  public static func < (left: MetricLabels, right: MetricLabels) -> Bool {
    left.pairs.lexicographicallyPrecedes(right.pairs)
  }

  static func isName(_ text: String) -> Bool {
    guard let start = text.utf8.first, !(48...57).contains(start) else { return false }
    return text.utf8.allSatisfy { byte in
      (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte == 95 || byte == 58
    }
  }
}
