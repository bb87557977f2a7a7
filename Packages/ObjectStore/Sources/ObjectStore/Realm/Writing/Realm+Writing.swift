extension Realm {
  /// Runs `block` in a write transaction, which commits when it returns and is cancelled when it throws.
  ///
  ///     try realm.write { dog.name = "Rex" }
  ///
  /// One transaction runs at a time over all threads and processes; others wait. It begins with the newest version: before
  /// it does, the realm moves there as by ``Realm/refresh()``, and observers hear what they did not hear yet.
  ///
  /// - Parameter tokens: notification handlers that are not to hear of this commit.
  /// - Throws: what the block throws; ``Realm/Error`` when the disk fails, and when something that was read since this
  ///   was thrown last is damaged (see ``checkReads()``). Nothing is written then.
  @discardableResult
  public func write<Result>(
    withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
  ) throws -> Result {
    try view.beginWrite()
    let result: Result
    do { result = try block() } catch {
      if view.isWriting { view.cancelWrite() }
      throw error
    }
    if view.isWriting { try view.commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Begins a write transaction. A nested one stops the program. One that cannot begin leaves the realm as it is, and its
  /// commit throws why.
  public func beginWrite() { view.beginWriteOrRefuse() }

  /// Makes everything that was written durable.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try view.commitWrite(withoutNotifying: tokens)
  }

  /// Throws when something that was read since this was asked last could not be read: properties then showed their
  /// defaults, and collections nothing. The next write transaction throws the same, and is not begun.
  ///
  ///     let names = realm.objects(Person.self).map(\.name)
  ///     try realm.checkReads()            // all names are what the file holds
  ///
  /// - Throws: ``Realm/Error``: `invalidDatabase` for a damaged file, with what to do; `fileAccess` for a failing disk.
  public func checkReads() throws {
    view.checkConfinement()
    try view.faults.check()
  }

  /// Takes everything back. Objects that were added become invalid.
  public func cancelWrite() { view.cancelWrite() }
}
