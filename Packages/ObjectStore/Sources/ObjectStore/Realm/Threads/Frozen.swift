/// A frozen object, collection or realm on its way to other threads, so that the compiler lets it pass: frozen values never
/// change and may be read anywhere.
///
///     let people = realm.objects(Person.self).frozen
///     let names = await Task.detached { people.value.map(\.name) }.value
///
/// ``ThreadSafeReference`` and ``ThreadSafe`` instead give values that are live where they arrive.
public struct Frozen<Confined: ThreadConfined>: @unchecked Sendable {
  // @unchecked: the initialiser makes sure that `value` is frozen; frozen values may be read from any thread.
  /// The frozen value.
  public let value: Confined

  /// Holds a value, frozen if it is not. An unmanaged value stops the program.
  public init(_ value: Confined) { self.value = value.isFrozen ? value : value.freeze() }
}

extension ThreadConfined {
  /// The value as it is now, for any thread. An unmanaged value stops the program.
  public var frozen: Frozen<Self> { Frozen(self) }
}
