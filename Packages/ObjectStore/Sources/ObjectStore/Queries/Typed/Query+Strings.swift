import QueryLanguage

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// The values contain another one.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> { match(.contains, value, options) }
  /// The values contain those of another property.
  public func contains<U: _HasPersistedType>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryBinary {
    match(.contains, column, options)
  }
  /// The values start with another one.
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> { match(.beginsWith, value, options) }
  /// The values start with those of another property.
  public func starts<U: _HasPersistedType>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryBinary {
    match(.beginsWith, column, options)
  }
  /// The values end with another one.
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> { match(.endsWith, value, options) }
  /// The values end with those of another property.
  public func ends<U: _HasPersistedType>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryBinary {
    match(.endsWith, column, options)
  }
  /// The values equal another one, apart from differences that the options ignore.
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> { match(.equal, value, options) }
  /// The values equal those of another property, apart from differences that the options ignore.
  public func equals<U: _HasPersistedType>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryBinary {
    match(.equal, column, options)
  }
  /// The values differ from another one, apart from differences that the options ignore.
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> { match(.notEqual, value, options) }
  /// The values differ from those of another property, apart from differences that the options ignore.
  public func notEquals<U: _HasPersistedType>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryBinary {
    match(.notEqual, column, options)
  }

  private func match(_ operation: ComparisonOperation, _ value: T, _ options: StringOptions) -> Query<Bool> {
    Query<Bool>(.compared(node, operation, .constant(value), options.comparison))
  }

  private func match<U>(_ operation: ComparisonOperation, _ column: Query<U>, _ options: StringOptions) -> Query<Bool> {
    Query<Bool>(.compared(node, operation, column.node, options.comparison))
  }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// The values match a pattern: `?` is one character, `*` any number of them.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    Query<Bool>(.compared(node, .like, .constant(value), caseInsensitive ? .caseInsensitive : []))
  }
  /// The values match the patterns of another property.
  public func like<U: _HasPersistedType>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool>
  where U.PersistedType: _QueryString {
    Query<Bool>(.compared(node, .like, column.node, caseInsensitive ? .caseInsensitive : []))
  }
}
