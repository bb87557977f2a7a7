import ByteCoding
import ChangesetOT
import StorageEngine

/// The sets as bytes of a root record, so that every snapshot has those of its version:
///
///     format, last id, count of sets, then per set version, snapshot, state, message and its subscriptions
extension SubscriptionSets {
  private static let recordName = "subscription sets"
  private static let format: UInt8 = 1

  /// The sets of a snapshot; nil in a file that is synced whole.
  ///
  /// - Throws: `StorageError` or `ByteDecodingError` for damaged bytes.
  static func stored(in reader: any StorageReader) throws -> SubscriptionSets? {
    guard let bytes = try reader.rootRecord(recordName) else { return nil }
    do { return try SubscriptionSets(decoding: bytes) } catch {
      throw RecordStoreError.damage("The subscriptions of the realm cannot be read.")
    }
  }

  func store(in transaction: WriteTransaction) throws { try transaction.setRootRecord(Self.recordName, encoded()) }

  /// Drops the messages of an incomplete bootstrap, if there are any.
  static func dropBootstrap(in transaction: WriteTransaction) throws {
    let log = try transaction.log(BootstrapBatch.logName)
    guard try log.lastPosition() != nil else { return }
    try log.deleteAll()
    guard var sets = try stored(in: transaction) else { return }
    sets.bootstrapsDropped()
    try sets.store(in: transaction)
  }

  static func remove(from transaction: WriteTransaction) throws { try transaction.setRootRecord(recordName, nil) }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeByte(Self.format)
    writer.writeVarint(lastID)
    writer.writeVarint(UInt64(sets.count))
    for set in sets {
      writer.writeVarint(set.version.rawValue)
      writer.writeVarint(set.snapshot.rawValue)
      writer.writeByte(set.state.rawValue)
      writer.writeString(set.message)
      writer.writeVarint(UInt64(set.subscriptions.count))
      for subscription in set.subscriptions { Self.write(subscription, to: &writer) }
    }
    return writer.bytes
  }

  private static func write(_ subscription: SubscriptionRecord, to writer: inout ByteWriter) {
    writer.writeVarint(subscription.id)
    writer.writeByte(
      (subscription.name == nil ? 0 : 1) | (subscription.timeToLive == nil ? 0 : 2) | (subscription.hasClauses ? 4 : 0))
    if let name = subscription.name { writer.writeString(name) }
    writer.writeString(subscription.className)
    writer.writeString(subscription.query)
    writer.writeVarint(UInt64(bitPattern: subscription.createdAt))
    writer.writeVarint(UInt64(bitPattern: subscription.updatedAt))
    if let timeToLive = subscription.timeToLive { writer.writeVarint(UInt64(bitPattern: timeToLive)) }
  }

  init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    guard try reader.readByte() == Self.format else {
      throw RecordStoreError(.unsupportedFileFormatVersion, "A later release wrote the subscriptions of the realm.")
    }
    let lastID: UInt64 = try reader.readVarint()
    let count: UInt64 = try reader.readVarint()
    var sets: [SubscriptionSetRecord] = []
    // Every set and every subscription takes bytes: a wrong count ends with them.
    for _ in 0..<count {
      var set = SubscriptionSetRecord(
        version: QueryVersion(try reader.readVarint()), snapshot: ClientVersion(try reader.readVarint()))
      guard let state = SubscriptionSetRecord.State(rawValue: try reader.readByte()) else {
        throw RecordStoreError.damage("A subscription set has no known state.")
      }
      set.state = state
      set.message = try reader.readString()
      let subscriptions: UInt64 = try reader.readVarint()
      for _ in 0..<subscriptions { set.subscriptions.append(try Self.subscription(&reader)) }
      sets.append(set)
    }
    guard !sets.isEmpty else { throw RecordStoreError.damage("The file has no subscription set.") }
    self.init(sets, lastID: lastID)
  }

  private static func subscription(_ reader: inout ByteReader) throws -> SubscriptionRecord {
    let id: UInt64 = try reader.readVarint()
    let flags = try reader.readByte()
    let name = flags & 1 == 0 ? nil : try reader.readString()
    var subscription = SubscriptionRecord(
      id: id, name: name, className: try reader.readString(), query: try reader.readString(),
      hasClauses: flags & 4 != 0)
    subscription.createdAt = Int64(bitPattern: try reader.readVarint())
    subscription.updatedAt = Int64(bitPattern: try reader.readVarint())
    if flags & 2 != 0 { subscription.timeToLive = Int64(bitPattern: try reader.readVarint()) }
    return subscription
  }
}
