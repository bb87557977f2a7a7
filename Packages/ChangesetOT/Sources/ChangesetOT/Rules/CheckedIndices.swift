// The indices of list instructions, checked against the size of the list.

extension Target {
  /// The last path element when it is an index, else nil.
  var index: UInt32? {
    get { if case .index(let index) = path.last { index } else { nil } }
    set {
      guard let newValue, !path.isEmpty else { return }
      path[path.count - 1] = .index(newValue)
    }
  }

  fileprivate func index(upTo limit: UInt32) throws(RuleFailure) -> UInt32 {
    guard let index else { throw .path("a name stands where a list instruction needs an index") }
    guard index <= limit else { throw .list("index \(index) lies outside its list") }
    return index
  }
}

extension ArrayInsert {
  var checkedIndex: UInt32 {
    get throws(RuleFailure) { try target.index(upTo: priorSize) }
  }
}

extension ArrayErase {
  var checkedIndex: UInt32 {
    get throws(RuleFailure) {
      guard priorSize > 0 else { throw .list("a removal from an empty list") }
      return try target.index(upTo: priorSize - 1)
    }
  }
}

extension ArrayMove {
  var checkedIndex: UInt32 {
    get throws(RuleFailure) {
      guard priorSize > 0, destination < priorSize else { throw .list("a move out of its list") }
      return try target.index(upTo: priorSize - 1)
    }
  }
}

extension Update {
  /// The index of the written element, and the size of its list.
  var checkedElement: (UInt32, UInt32) {
    get throws(RuleFailure) {
      guard target.index != nil else { throw .path("a name stands where the other side has a list") }
      guard let priorSize, priorSize > 0 else { throw .list("a write of an element of an empty list") }
      return (try target.index(upTo: priorSize - 1), priorSize)
    }
  }
}

/// The number plus one; fails where no list can be that long.
func increased(_ number: UInt32) throws(RuleFailure) -> UInt32 {
  guard number < .max else { throw .list("a list index exceeds every list") }
  return number + 1
}
