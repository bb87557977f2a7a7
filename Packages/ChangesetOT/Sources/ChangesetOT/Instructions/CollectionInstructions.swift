/// Inserts a list element before the one at the target's index.
public struct ArrayInsert: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The value of the new element.
  public var payload: Payload
  /// The size of the list just before.
  public var priorSize: UInt32

  /// An insertion.
  public init(target: Target, payload: Payload, priorSize: UInt32) {
    self.target = target
    self.payload = payload
    self.priorSize = priorSize
  }
}

/// Moves the list element at the target's index; `destination` is its index after removal.
public struct ArrayMove: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The index after the removal of the element.
  public var destination: UInt32
  /// The size of the list just before.
  public var priorSize: UInt32

  /// A move.
  public init(target: Target, destination: UInt32, priorSize: UInt32) {
    self.target = target
    self.destination = destination
    self.priorSize = priorSize
  }
}

/// Removes the list element at the target's index.
public struct ArrayErase: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The size of the list just before.
  public var priorSize: UInt32

  /// A removal.
  public init(target: Target, priorSize: UInt32) {
    self.target = target
    self.priorSize = priorSize
  }
}

/// Adds a value to a set.
public struct SetInsert: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The member.
  public var payload: Payload

  /// An addition to a set.
  public init(target: Target, payload: Payload) {
    self.target = target
    self.payload = payload
  }
}

/// Removes a value from a set.
public struct SetErase: Hashable, Sendable {
  /// The target.
  public var target: Target
  /// The member.
  public var payload: Payload

  /// A removal from a set.
  public init(target: Target, payload: Payload) {
    self.target = target
    self.payload = payload
  }
}
