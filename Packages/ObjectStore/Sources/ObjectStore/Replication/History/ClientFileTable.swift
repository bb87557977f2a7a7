import ChangesetOT
import StorageEngine

/// The table of client files of a server's file: the row's key is the file ident.
struct ClientFileTable {
  private static let name = "client files"
  private static let columns = ["salt", "kind", "upload client", "upload server", "locked", "seen", "expired"]

  /// The table as a transaction sees it, made when it is missing, with the rows of "no file" and of the server itself.
  static func prepare(_ transaction: WriteTransaction, salt: Int64) throws {
    guard transaction.table(named: name) == nil else { return }
    let table = try transaction.createTable(name)
    for column in columns { _ = try transaction.addColumn(column, .int, to: table) }
    let own = ClientFile(salt: salt, kind: .own, lastSeen: OriginTimestamp(0))
    _ = try insert(ClientFile(salt: 0, kind: .upstream, lastSeen: OriginTimestamp(0)), transaction)
    _ = try insert(own, transaction)
  }

  static func insert(_ file: ClientFile, _ transaction: WriteTransaction) throws -> FileIdent {
    guard let table = transaction.table(named: name) else {
      throw StorageError(.corrupt, "The server's file has lost its client files. Restore it from a backup.")
    }
    let row = try transaction.writer(of: table.id).insertRow()
    let ident = FileIdent(UInt64(bitPattern: row.rawValue))
    try update(ident, file, transaction)
    return ident
  }

  static func update(_ ident: FileIdent, _ file: ClientFile, _ transaction: WriteTransaction) throws {
    guard let table = transaction.table(named: name) else { return }
    let writer = try transaction.writer(of: table.id)
    let row = RowKey(Int64(bitPattern: ident.rawValue))
    let values: [Int64] = [
      file.salt, Int64(file.kind.rawValue), Int64(bitPattern: file.upload.client.rawValue),
      Int64(bitPattern: file.upload.server.rawValue), Int64(bitPattern: file.lockedServerVersion.rawValue),
      Int64(bitPattern: file.lastSeen.rawValue), file.isExpired ? 1 : 0,
    ]
    for (column, value) in zip(table.columns, values) { try writer.setInt(value, column.id, row: row) }
  }

  /// What is known of a file; nil when the ident was never given out.
  static func file(_ ident: FileIdent, in reader: any StorageReader) throws -> ClientFile? {
    guard ident != .none, ident.rawValue <= UInt64(Int64.max), let table = reader.table(named: name) else { return nil }
    let row = RowKey(Int64(ident.rawValue))
    guard row < reader.nextRow(of: table.id), let cluster = try reader.cluster(of: row, in: table.id),
      cluster.isAlive(row.slot), table.columns.count >= columns.count
    else { return nil }
    let values = table.columns.map { cluster.int($0.id, slot: row.slot) }
    return ClientFile(
      salt: values[0], kind: ClientFile.Kind(rawValue: UInt8(truncatingIfNeeded: values[1])) ?? .regular,
      upload: UploadCursor(
        client: ClientVersion(UInt64(bitPattern: values[2])), server: ServerVersion(UInt64(bitPattern: values[3]))),
      lockedServerVersion: ServerVersion(UInt64(bitPattern: values[4])),
      lastSeen: OriginTimestamp(UInt64(bitPattern: values[5])), isExpired: values[6] != 0)
  }

  /// Every ident that was given out to a client.
  static func idents(in reader: any StorageReader) -> Range<UInt64> {
    guard let table = reader.table(named: name) else { return 2..<2 }
    return 2..<max(2, UInt64(bitPattern: reader.nextRow(of: table.id).rawValue))
  }
}
