import StorageEngine

extension RealmFile {
  /// Versions that are kept: from the oldest that anybody reads, in any process, to the newest.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func activeVersionCount() throws -> Int { try translatingErrors { try store.versionCount() } }
}
