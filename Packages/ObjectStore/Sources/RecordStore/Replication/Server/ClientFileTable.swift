import ChangesetOT
import StorageEngine

/// The table of client files of a server's file; ``FileIdentSeries`` says which row has which file ident.
struct ClientFileTable {
  private static let name = "client files"
  private static let columns = [
    "salt", "kind", "upload client", "upload server", "locked", "seen", "expired", "bootstrap",
    "compacted from", "compacted through",
  ]
  /// Files of earlier versions have fewer columns.
  private static let leastColumns = 7

  /// The table as a transaction sees it, made when it is missing, with the rows of "no file" and of the server itself.
  static func prepare(_ transaction: WriteTransaction, salt: Int64) throws {
    guard transaction.table(named: name) == nil else { return }
    let table = try transaction.createTable(name)
    for column in columns { _ = try transaction.addColumn(column, .int, to: table) }
    let own = ClientFileRecord(salt: salt, kind: .own, lastSeen: OriginTimestamp(0))
    _ = try insert(ClientFileRecord(salt: 0, kind: .upstream, lastSeen: OriginTimestamp(0)), transaction)
    _ = try insert(own, transaction)
  }

  /// Adds a file. A process that has an incarnation gives out idents that no other one does.
  static func insert(
    _ file: ClientFileRecord, _ transaction: WriteTransaction, incarnation: Int64? = nil, isNew: Bool = true,
    draw: UInt64 = 0
  ) throws -> FileIdent {
    guard let table = transaction.table(named: name) else {
      throw StorageError(.corrupt, "The server's file has lost its client files. Restore it from a backup.")
    }
    let row = try transaction.writer(of: table.id).insertRow()
    let number = UInt64(bitPattern: row.rawValue)
    var series = try FileIdentSeries(in: transaction)
    if let incarnation {
      try series.leap(
        atRow: number, isNew: isNew, incarnation: incarnation, now: file.lastSeen, draw: draw, in: transaction)
    }
    let ident = FileIdent(series.ident(ofRow: number))
    try update(ident, file, transaction)
    return ident
  }

  static func update(_ ident: FileIdent, _ file: ClientFileRecord, _ transaction: WriteTransaction) throws {
    guard var table = transaction.table(named: name) else { return }
    if table.columns.count < columns.count {
      for column in columns[table.columns.count...] { _ = try transaction.addColumn(column, .int, to: table.id) }
      table = transaction.table(named: name) ?? table
    }
    let writer = try transaction.writer(of: table.id)
    guard let number = try FileIdentSeries(in: transaction).row(ofIdent: ident.rawValue) else { return }
    let row = RowKey(Int64(bitPattern: number))
    let values: [Int64] = [
      file.salt, Int64(file.kind.rawValue), Int64(bitPattern: file.upload.client.rawValue),
      Int64(bitPattern: file.upload.server.rawValue), Int64(bitPattern: file.lockedServerVersion.rawValue),
      Int64(bitPattern: file.lastSeen.rawValue), file.isExpired ? 1 : 0,
      Int64(bitPattern: file.bootstrap.rawValue),
      Int64(bitPattern: file.compacted?.lowerBound.rawValue ?? 0),
      Int64(bitPattern: file.compacted?.upperBound.rawValue ?? 0),
    ]
    for (column, value) in zip(table.columns, values) { try writer.setInt(value, column.id, row: row) }
  }

  /// The record of a file; nil when the ident was never given out.
  static func file(_ ident: FileIdent, in reader: any StorageReader) throws -> ClientFileRecord? {
    guard ident != .none, ident.rawValue <= UInt64(Int64.max), let table = reader.table(named: name),
      let number = try FileIdentSeries(in: reader).row(ofIdent: ident.rawValue)
    else { return nil }
    let row = RowKey(Int64(bitPattern: number))
    guard row < reader.nextRow(of: table.id), let cluster = try reader.cluster(of: row, in: table.id),
      cluster.isAlive(row.slot), table.columns.count >= leastColumns
    else { return nil }
    let values = table.columns.map { cluster.int($0.id, slot: row.slot) }
    func version(_ column: Int) -> ServerVersion {
      ServerVersion(UInt64(bitPattern: values.count > column ? values[column] : 0))
    }
    let (first, last) = (version(8), version(9))
    return ClientFileRecord(
      salt: values[0], kind: ClientFileRecord.Kind(rawValue: UInt8(truncatingIfNeeded: values[1])) ?? .regular,
      upload: UploadCursor(
        client: ClientVersion(UInt64(bitPattern: values[2])), server: ServerVersion(UInt64(bitPattern: values[3]))),
      lockedServerVersion: ServerVersion(UInt64(bitPattern: values[4])),
      lastSeen: OriginTimestamp(UInt64(bitPattern: values[5])), isExpired: values[6] != 0,
      bootstrap: version(7), compacted: first > .zero && first <= last ? first...last : nil)
  }

  /// Every ident that was given out to a client.
  static func idents(in reader: any StorageReader) throws -> [UInt64] {
    guard let table = reader.table(named: name) else { return [] }
    let series = try FileIdentSeries(in: reader)
    return (2..<max(2, UInt64(bitPattern: reader.nextRow(of: table.id).rawValue))).map(series.ident(ofRow:))
  }
}
