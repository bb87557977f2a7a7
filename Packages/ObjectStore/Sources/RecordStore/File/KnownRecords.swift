import StorageEngine

/// The decoded root records of a snapshot: catalog and history role.
final class KnownRecords: Sendable {
  /// See ``StorageReader/recordsVersion``.
  let version: SnapshotVersion?
  let catalog: Catalog
  /// The history that the file keeps; nil when it keeps none.
  let role: HistoryRole?
  private let catalogContent: [UInt8]

  /// - Parameter last: of another snapshot, whose catalog is taken when it is the same.
  init(_ reader: any StorageReader, last: KnownRecords?) throws {
    version = reader.recordsVersion
    role = try HistoryRole.stored(in: reader)
    guard let content = try reader.rootRecord(Catalog.recordName) else {
      (catalog, catalogContent) = (.empty, [])
      return
    }
    catalogContent = content
    if let last, last.catalogContent == content {
      catalog = last.catalog
      return
    }
    do { catalog = try CatalogMemo.shared.catalog(content) } catch {
      throw StorageError(
        .corrupt, "The catalog of the realm cannot be read. Restore the file from a backup.", cause: error)
    }
    guard catalog.isBorne(by: reader) else {
      throw StorageError(
        .corrupt, "The catalog of the realm names what is not in the file. Restore the file from a backup.")
    }
  }
}
