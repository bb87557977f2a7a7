import RealmSwift

extension Array {
  /// Repeats on this copy of a collection's elements what happened to the collection.
  ///
  ///     copy      a b c
  ///     change    deletions [0]   insertions [2]   modifications [1]
  ///     copy      b′ c x                            two elements read, b′ and x
  ///
  /// - Parameter value: the copy of one element.
  /// - Throws: the error of the collection.
  /// - Complexity: O(*n*) moves of elements already copied; only inserted and modified elements are read.
  mutating func apply<Collection: RealmCollection>(
    _ change: RealmCollectionChange<Collection>, _ value: (Collection.Element) -> Element
  ) throws where Collection.Index == Int {
    switch change {
    case .initial(let collection): self = collection.map(value)
    case .update(let collection, let deletions, let insertions, let modifications):
      // Deletions and modifications are positions before the change, insertions positions after it.
      var copies: [Element?] = self
      for position in modifications { copies[position] = nil }
      for position in deletions.reversed() { copies.remove(at: position) }
      for position in insertions { copies.insert(nil, at: position) }
      self = copies.enumerated().map { position, copy in copy ?? value(collection[position]) }
    case .error(let error): throw error
    }
  }
}
