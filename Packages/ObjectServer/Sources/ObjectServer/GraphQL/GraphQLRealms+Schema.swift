/// The schema endpoint.
extension GraphQLRealms {
  /// The schema of a realm as the user may see it, in the schema definition language. On the loop.
  func schema(at target: RealmTarget, then completion: @escaping @Sendable (Result<String, any Error>) -> Void) {
    let (settings, realms) = (settings, self)
    hub.serve(target.path, for: target.subject.user) { store in
      let caches = try Self.caches(store)
      let readable = try realms.store(target, caches.history).read()
      let graphQL = try caches.cache(settings, isQueryBased: target.isQueryBased).graphQL(for: readable)
      return (graphQL.service.schema.description, false)
    } then: {
      completion($0)
    }
  }

  /// Forgets the schemas that are kept of a realm. On the loop.
  func clearSchema(at target: RealmTarget, then completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    hub.serve(target.path, for: target.subject.user) { store in
      try Self.caches(store).clear()
      return ((), false)
    } then: {
      completion($0)
    }
  }
}
