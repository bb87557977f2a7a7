import ChangesetOT
import DataModel
import StorageEngine

extension ReadView {
  /// The high half of keys made here for objects without primary key: the ident that the server gave a client's file, and
  /// ``FileIdent/none`` before that and in files that are not replicated.
  func ownIdent() throws -> FileIdent {
    switch try HistoryRole.stored(in: reader) {
    case .client?: try ClientLog.state(in: reader).ident.ident
    case .server?: .server
    case nil: .none
    }
  }

  /// The key by which the file knows what a caller calls so: names that were noted before the file had an ident go on
  /// meaning its own objects.
  func known(_ key: ObjectKey) throws -> ObjectKey {
    guard case .global(let global) = key, global.high == 0 else { return key }
    return key.resolved(for: try ownIdent()) ?? key
  }
}

extension GlobalKey {
  /// Halves stay below these: stock clients fold both into a row key of 63 bits, and stop at a greater high half.
  static let highLimit: UInt64 = 1 << 30
  static let lowLimit: UInt64 = 1 << 32

  /// Whether every client can have an object of this key.
  var isPortable: Bool { high < Self.highLimit && low < Self.lowLimit }

  /// The key of an object that is made in a row of a file without ident.
  package init(madeHereIn row: RowKey) { self.init(high: 0, low: UInt64(bitPattern: row.rawValue) % Self.lowLimit) }
}
