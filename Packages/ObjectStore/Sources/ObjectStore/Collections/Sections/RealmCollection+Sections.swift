import RecordStore

extension RealmCollection where Element: KeypathSortable {
  /// The objects in sections by a property, in its order.
  public func sectioned<Key: _Persistable & Hashable>(
    by keyPath: KeyPath<Element, Key>, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }

  /// The objects in sections by a property, in the order of several, of which it is the first.
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
  /// The elements in sections by what a block makes of them.
  ///
  /// - Parameters:
  ///   - block: gives the key of an element; depends on the element alone.
  ///   - sortDescriptors: the order; elements with one key should stand together in it.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, sortDescriptors: [SortDescriptor]
  ) -> SectionedResults<Key, Element> {
    rule(!sortDescriptors.isEmpty, "There must be at least one SortDescriptor when using SectionedResults.")
    return SectionedResults(source: SectionedSource(sorted(by: sortDescriptors).source, block))
  }

  /// ``sectioned(by:sortDescriptors:)-(_,_)``, the block last.
  public func sectioned<Key: _Persistable & Hashable>(
    sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
  ) -> SectionedResults<Key, Element> {
    sectioned(by: keyBlock, sortDescriptors: sortDescriptors)
  }

  /// The values in sections by what a block makes of them, in their order.
  public func sectioned<Key: _Persistable & Hashable>(
    by block: @escaping (Element) -> Key, ascending: Bool = true
  ) -> SectionedResults<Key, Element> {
    SectionedResults(source: SectionedSource(sorted(byKeyPath: "self", ascending: ascending).source, block))
  }
}
