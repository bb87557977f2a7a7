extension Query where T: ProjectionObservable {
  /// The values of a property of the underlying object.
  public subscript<V>(dynamicMember member: KeyPath<T.Root, V>) -> Query<V> {
    Query<V>(path.appending(KeyPathTracer.steps(member)))
  }
}
