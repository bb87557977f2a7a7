import DataModel

// Relations of two targets of one field of one object.
//
//     [2]         and  [2, "x"]      prefix: the outer names a whole of which the inner is a part
//     [2]         and  [5]           same container: both name elements of one list
//     [2]         and  [5, "x"]      container prefix: both run through one list, the inner goes on

extension PathElement {
  /// Equality, with names compared by their bytes.
  func isSame(as other: PathElement) -> Bool {
    switch (self, other) {
    case (.index(let left), .index(let right)): left == right
    case (.name(let left), .name(let right)): left.isIdentical(to: right)
    case (.index, .name), (.name, .index): false
    }
  }
}

extension Array<PathElement> {
  func isSame(as other: [PathElement]) -> Bool {
    count == other.count && agrees(with: other, upTo: count)
  }

  /// Whether the path is a proper prefix of `inner`.
  func isPrefix(of inner: [PathElement]) -> Bool {
    count < inner.count && agrees(with: inner, upTo: count)
  }

  /// Whether both paths name elements, or keys, of one collection.
  func isSameContainer(as other: [PathElement]) -> Bool {
    count == other.count && count > 0 && agrees(with: other, upTo: count - 1)
  }

  /// Whether both paths run through one list, and `inner` goes on below an element of it.
  func isContainerPrefix(of inner: [PathElement]) -> Bool {
    guard count > 0, count < inner.count, case .index = self[count - 1] else { return false }
    return agrees(with: inner, upTo: count - 1)
  }

  private func agrees(with other: [PathElement], upTo length: Int) -> Bool {
    for position in 0..<length where !self[position].isSame(as: other[position]) { return false }
    return true
  }
}

extension Payload {
  /// Equality of type and value, with texts compared by their bytes.
  func isSame(as other: Payload) -> Bool {
    switch (self, other) {
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.link(let left), .link(let right)):
      left.className.isIdentical(to: right.className) && left.key.isSame(as: right.key)
    case (.null, _), (.int, _), (.bool, _), (.string, _), (.data, _), (.timestamp, _), (.float, _), (.double, _),
      (.decimal128, _), (.link, _), (.objectId, _), (.uuid, _), (.objectValue, _), (.dictionary, _), (.erased, _),
      (.list, _), (.set, _):
      self == other
    }
  }
}

extension ObjectKey {
  func isSame(as other: ObjectKey) -> Bool {
    if case .string(let left) = self, case .string(let right) = other { return left.isIdentical(to: right) }
    return self == other
  }
}
