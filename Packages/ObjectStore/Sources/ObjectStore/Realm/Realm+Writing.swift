extension Realm {
  /// Runs `block` in a write transaction, which commits when it returns and is cancelled when it throws.
  ///
  ///     try realm.write { dog.name = "Rex" }
  ///
  /// One transaction runs at a time over all threads and processes; others wait. It begins with the newest version.
  ///
  /// - Parameter tokens: notification handlers that are not to hear of this commit.
  /// - Throws: what the block throws; ``Realm/Error`` when the disk fails, and nothing is written then.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try view.beginWrite()
    let result: Result
    do { result = try block() } catch {
      if view.session != nil { view.cancelWrite() }
      throw error
    }
    if view.session != nil { try view.commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write transaction. A nested one stops the program.
  public func beginWrite() { storageMustWork { try view.beginWrite() } }

  /// Makes everything that was written durable.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try view.commitWrite(withoutNotifying: tokens)
  }

  /// Takes everything back. Objects that were added become invalid.
  public func cancelWrite() { view.cancelWrite() }
}
