extension ClientConnection {
  /// Takes an event and answers what to do, in order.
  ///
  /// - Parameter now: the time on any clock that never goes backwards, since any zero.
  public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    []
  }

  /// Takes the bytes of a message; what cannot be read closes the connection.
  public mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Action] {
    []
  }
}
