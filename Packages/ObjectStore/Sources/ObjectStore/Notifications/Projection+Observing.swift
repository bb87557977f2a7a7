public import Dispatch
import RecordStore

extension ProjectionObservable {
  /// Calls `block` after each change of the projected properties, and when the object was deleted, until the token is
  /// released or invalidated.
  ///
  /// - Parameters:
  ///   - keyPaths: names of projected properties that are reported, or of the object's properties that they show; nil
  ///     for all.
  ///   - queue: a serial queue to call `block` on, with the projection of an object of that queue; nil for the realm's
  ///     own thread.
  /// - Returns: the registration.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let watched = watched(keyPaths)
    return rootObject.observe(keyPaths: watched.map(\.rootPath), on: queue) { (change: ObjectChange<Root>) in
      if let shown = Self.shown(change, watched) { block(shown) }
    }
  }

  /// The projected properties of some names; all for nil.
  private func watched(_ keyPaths: [String]?) -> [ProjectedPath] {
    let all = projectedProperties.map { ProjectedPath(name: $0.name, property: $0.property) }
    guard let keyPaths, !keyPaths.isEmpty else { return all }
    return keyPaths.flatMap { name in
      let named = all.filter { $0.name == name }
      let shown = named.isEmpty ? all.filter { $0.rootPath == name } : named
      rule(!shown.isEmpty, "Projection '\(Self.self)' has no property '\(name)'.")
      return shown
    }
  }

  /// A change of the object as a change of the projection; nil when no projected property changed.
  private static func shown(_ change: ObjectChange<Root>, _ watched: [ProjectedPath]) -> ObjectChange<Self>? {
    switch change {
    case .error(let error): return .error(error)
    case .deleted: return .deleted
    case .change(let root, let changes):
      let shown = watched.compactMap { path -> PropertyChange? in
        guard let change = changes.first(where: { $0.name == path.first }) else { return nil }
        let value = path.property.value(of: root)
        // A change of a collection carries no values.
        let isDirect =
          path.first == path.rootPath && !(value is any _CollectionProperty)
          && value as? AnyHashable == change.newValue as? AnyHashable
        return isDirect
          ? PropertyChange(name: path.name, oldValue: change.oldValue, newValue: change.newValue)
          : PropertyChange(name: path.name, oldValue: past(path, change), newValue: value)
      }
      return shown.isEmpty ? nil : .change(Self(projecting: root), shown)
    }
  }

  /// The projected value before a change, computed from the property's old value; nil for values behind a link, which
  /// are not kept.
  private static func past(_ path: ProjectedPath, _ change: PropertyChange) -> Any? {
    guard path.first == path.rootPath, let oldValue = change.oldValue, !(oldValue is ObjectBase) else { return nil }
    let object = Root()
    return object.take(oldValue, named: change.name) ? path.property.value(of: object) : nil
  }

  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` with key paths of the projection.
  public func observe(
    keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { _name(for: $0) }, on: queue, block)
  }
}

extension ProjectionObservable {
  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` on an actor, with the projection of an object of a realm of that
  /// actor.
  public func observe<A: Actor>(
    keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    let watched = watched(keyPaths)
    // nonisolated(unsafe): only read and called by the actor.
    nonisolated(unsafe) let shown = { (change: ObjectChange<Root>) in Self.shown(change, watched) }
    return await rootObject.observe(keyPaths: watched.map(\.rootPath), on: actor) {
      (actor: isolated A, change: ObjectChange<Root>) in
      if let change = shown(change) { block(actor, change) }
    }
  }

  /// ``observe(keyPaths:on:_isolation:_:)-([String]?,_,_,_)`` with key paths of the projection.
  public func observe<A: Actor>(
    keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
    _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
  ) async -> NotificationToken {
    await observe(keyPaths: keyPaths.map { _name(for: $0) }, on: actor, block)
  }
}

/// A projected property and its key path from the object.
private struct ProjectedPath {
  let name: String
  let property: any ProjectedProperty
  let rootPath: String
  /// The first property on the path: one of the object itself.
  let first: String

  init(name: String, property: any ProjectedProperty) {
    self.name = name
    self.property = property
    let steps = KeyPathTracer.steps(property.path)
    rule(!steps.isEmpty, "The projected key path of '\(name)' leads to no managed property.")
    rootPath = steps.map(\.name).joined(separator: ".")
    first = steps.first?.name ?? ""
  }
}

extension ProjectionObservable {
  /// The properties of the underlying object that a key path of the projection reads.
  static func steps(_ keyPath: AnyKeyPath) -> [KeyPathTracer.Step] {
    guard let tracer = KeyPathTracer.tracer(Root.self) as? Root else { return [] }
    _ = (Self(projecting: tracer) as Any)[keyPath: keyPath]
    return KeyPathTracer.path(through: tracer)
  }

  /// The projected property that a key path of the projection reads.
  static func projectedName(_ keyPath: PartialKeyPath<Self>) -> String? {
    guard let tracer = KeyPathTracer.tracer(Root.self) as? Root else { return nil }
    let read = steps(keyPath)
    return Self(projecting: tracer).projectedProperties.first { KeyPathTracer.steps($0.property.path) == read }?.name
  }
}

/// The name of the projected property that a key path leads to.
public func _name<P: ProjectionObservable>(for keyPath: PartialKeyPath<P>) -> String {
  guard let name = P.projectedName(keyPath) else {
    violated("The key path '\(keyPath)' leads to no projected property of '\(P.self)'.")
  }
  return name
}

/// The change of one projected property, under its name in the projection.
public typealias ProjectedPropertyChange = PropertyChange
