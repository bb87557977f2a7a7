import RecordStore

extension RealmCollection where Element: KeypathSortable {
  /// The objects, sorted by a property and divided into sections of equal values.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects, sorted by several properties and divided into sections of equal values of the first. Descriptors that
  /// begin with another property stop the program.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    guard let first = sortDescriptors.first else {
      violated("There must be at least one SortDescriptor when using SectionedResults.")
    }
    rule(
      first.keyPath == KeyPathTracer.name(keyPath),
      "The section key path must match the primary sort descriptor: '\(KeyPathTracer.name(keyPath))' is not '\(first.keyPath)'."
    )
    return sectioned(by: { $0[keyPath: keyPath] }, sortDescriptors: sortDescriptors)
  }
}

extension RealmCollection {
  /// The elements, divided into sections by a computed key.
  ///
  /// - Parameters:
  ///   - block: computes the key of an element, from the element alone.
  ///   - sortDescriptors: the order. It should place elements with equal keys together. Empty, the program stops.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    rule(!sortDescriptors.isEmpty, "There must be at least one SortDescriptor when using SectionedResults.")
    return SectionedResults(source: SectionedSource(sorted(by: sortDescriptors).source, block))
  }

  /// `sectioned(by:sortDescriptors:)`, with a trailing block.
  public func sectioned<Key: _Persistable & Hashable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyBlock, sortDescriptors: sortDescriptors)
  }

  /// The values, sorted and divided into sections by a computed key.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    SectionedResults(source: SectionedSource(sorted(byKeyPath: "self", ascending: ascending).source, block))
  }
}
