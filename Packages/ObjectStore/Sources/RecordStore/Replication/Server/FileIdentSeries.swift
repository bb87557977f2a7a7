import ByteCoding
import ChangesetOT
import StorageEngine

/// Which file ident each row of the table of client files has.
///
/// The first series goes 0, 1, 2 … as the rows do. Each server process that gives out idents begins another one with a
/// leap: what it gives out differs from what an earlier process gave out after the backup was made from which the file was
/// restored, or in a file that is lost. So keys of objects that are made of a file ident are never made twice.
///
///     incarnation, count, (first row, its ident) …
struct FileIdentSeries {
  private static let recordName = "file idents"
  /// Idents stay below: stock clients have 30 bits for them in the row keys of objects without primary key.
  private static let limit: UInt64 = 1 << 30
  /// With more, a process goes on where the last one stopped.
  private static let mostSeries = 1024
  /// 2020 in Unix time, and how many milliseconds an ident stands for: enough for a century.
  private static let epoch: UInt64 = 1_577_836_800_000
  private static let millisecondsPerIdent: UInt64 = 4_000
  /// On top of the time, for servers that give out idents faster than time goes, for clocks that are wrong, and above all
  /// for a backup that is restored soon: two processes within days of each other that give out *n* idents each meet with a
  /// probability of 2*n* in this. As many leaps as there can be fit below ``limit``, on average with half of it to spare.
  private static let widestLeap: UInt64 = 1 << 20

  private var incarnation: Int64 = 0
  private var starts: [(row: UInt64, ident: UInt64)] = []

  init(in reader: any StorageReader) throws {
    guard let bytes = try reader.rootRecord(Self.recordName) else { return }
    var content = ByteReader(bytes)
    incarnation = try content.readVarint()
    let count: UInt64 = try content.readVarint()
    for _ in 0..<min(count, UInt64(Self.mostSeries)) {
      starts.append((try content.readVarint(), try content.readVarint()))
    }
  }

  private func store(in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(incarnation)
    writer.writeVarint(UInt64(starts.count))
    for (row, ident) in starts {
      writer.writeVarint(row)
      writer.writeVarint(ident)
    }
    try transaction.setRootRecord(Self.recordName, writer.bytes)
  }

  /// The ident of a row.
  func ident(ofRow row: UInt64) -> UInt64 {
    guard let start = starts.last(where: { $0.row <= row }) else { return row }
    return start.ident + (row - start.row)
  }

  /// The row of an ident; nil when it lies in a leap.
  func row(ofIdent ident: UInt64) -> UInt64? {
    guard let number = starts.lastIndex(where: { $0.ident <= ident }) else {
      return starts.first.map { ident < $0.row } ?? true ? ident : nil
    }
    let row = starts[number].row + (ident - starts[number].ident)
    guard number + 1 < starts.count else { return row }
    return row < starts[number + 1].row ? row : nil
  }

  /// Begins a series at `row`, unless this process has begun one, or the realm is new.
  ///
  /// - Parameters:
  ///   - isNew: whether no file of the realm ever gave out idents, not even one that is lost.
  ///   - draw: a random number.
  mutating func leap(
    atRow row: UInt64, isNew: Bool, incarnation: Int64, now: OriginTimestamp, draw: UInt64,
    in transaction: WriteTransaction
  ) throws {
    guard self.incarnation != incarnation else { return }
    let isFirst = isNew && self.incarnation == 0 && row <= 2
    self.incarnation = incarnation
    if !isFirst, starts.count < Self.mostSeries {
      let next = ident(ofRow: row)
      let time = (max(now.unixMilliseconds, Int64(Self.epoch)).magnitude - Self.epoch) / Self.millisecondsPerIdent
      let start = max(next, min(time, Self.limit / 4 * 3)) + draw % Self.widestLeap
      if start < Self.limit { starts.append((row, start)) }
    }
    try store(in: transaction)
  }
}
