/// Marks elements with key paths to their properties: objects and projections.
public protocol KeypathSortable: RealmCollectionValue {}
extension ObjectBase: KeypathSortable {}
extension Projection: KeypathSortable {}

extension RealmCollection where Element: KeypathSortable {
  /// The elements, sorted by a property, which may lie behind links: `\.owner?.name`.
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Element, T>, ascending: Bool = true) -> Results<Element>
  where T.PersistedType: SortableType {
    sorted(byKeyPath: KeyPathTracer.name(keyPath), ascending: ascending)
  }

  /// The first element of each group with equal values of some properties, in the present order.
  public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
  where S.Iterator.Element == PartialKeyPath<Element> {
    distinct(by: keyPaths.map { KeyPathTracer.name($0) } as [String])
  }

  /// The least value of a property; nil when there is none. Nils are skipped. O(*n*).
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The greatest value of a property; nil when there is none. Nils are skipped. O(*n*).
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The sum of a property; 0 when there is no value. Nils are skipped. O(*n*).
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
    sum(ofProperty: KeyPathTracer.name(keyPath))
  }

  /// The average of a property; nil when there is no value. Nils are skipped and not counted. O(*n*).
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: AddableType {
    average(ofProperty: KeyPathTracer.name(keyPath))
  }
}

extension SortDescriptor {
  /// A key to sort by, as a key path of the model.
  public init<Element: KeypathSortable>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
    self.init(keyPath: KeyPathTracer.name(keyPath), ascending: ascending)
  }
}
