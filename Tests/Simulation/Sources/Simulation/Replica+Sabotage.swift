import ChangesetOT
import RecordStore

/// Damage that neither apps nor servers do, for runs that must fail.
extension Replica {
  /// Claims a transaction that was never made.
  func claimTransaction() { receipts.append("never made") }

  /// Marks a receipt a second time, as if its transaction had been applied twice.
  func markTwice() throws {
    guard let realm, let name = receipts.last else { return }
    realm.refresh()
    try realm.write { realm.object(ofType: Receipt.self, forPrimaryKey: name)?.marks.append(name) }
  }

  /// Marks a receipt a second time, here only, as if the server had said so; gives its name.
  func forgeMark() throws -> String? {
    guard let name = receipts.last else { return nil }
    let target = Target(object: .init(className: "Receipt", key: .string(name)), field: "marks", path: [.index(1)])
    let forged = Changeset(
      instructions: [.arrayInsert(ArrayInsert(target: target, payload: .string(name), priorSize: 1))],
      origin: ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server))
    let history = ClientHistory(file)
    let progress = try history.progress()
    let entry = DownloadEntry(
      cursor: progress.download, timestamp: forged.origin.timestamp, origin: .server, changeset: forged.encoded())
    try history.integrate([entry], progress: progress)
    return name
  }

  /// Marks a receipt a second time, and takes that back.
  func markForAMoment(_ name: String) throws {
    guard let realm else { return }
    realm.refresh()
    try realm.write {
      let marks = realm.object(ofType: Receipt.self, forPrimaryKey: name)?.marks
      marks?.append(name)
      marks?.removeLast()
    }
  }
}
