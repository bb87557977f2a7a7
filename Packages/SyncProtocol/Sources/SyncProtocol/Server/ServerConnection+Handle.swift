extension ServerConnection {
  /// What to do when the connection opens.
  public mutating func start() -> [Action] { [] }

  /// Takes an event and answers what to do, in order.
  public mutating func handle(_ event: Event) -> [Action] {
    []
  }

  /// Takes the bytes of a message; what cannot be read is answered with an error, and the connection closes.
  public mutating func receive(_ bytes: [UInt8]) -> [Action] {
    []
  }
}
