public import TestKit

extension SeededGenerator {
  /// A number from 0 up to but not including `limit`; 0 when that is none.
  public mutating func below(_ limit: Int) -> Int { limit > 0 ? Int(next() % UInt64(limit)) : 0 }

  /// One of the elements; nil when there is none.
  public mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
    guard !elements.isEmpty else { return nil }
    return elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }
}
