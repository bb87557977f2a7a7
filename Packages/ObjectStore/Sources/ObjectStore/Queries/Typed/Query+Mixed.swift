extension Query where T == AnyRealmValue {
  /// The value under a key of a dictionary.
  public subscript(key: String) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(path.appending(.key(key), isAny: path.isAny))
  }

  /// The value at a position of a list.
  public subscript(index: Int) -> Query<AnyRealmValue> {
    Query<AnyRealmValue>(path.appending(.index(index), isAny: path.isAny))
  }

  /// Every value of a list or dictionary.
  public var any: Query<AnyRealmValue> { Query<AnyRealmValue>(path.appending(.all, isAny: path.isAny)) }
}
