import ByteCoding
public import ChangesetOT
import StorageEngine

// Idents under which consumers of a realm's commits write to it.

extension ServerHistory {
  /// The ident under which a consumer writes to the realm, so that it knows its own commits again. It is given out at the first
  /// call, durable on return, and stays the same as long as the realm's file does.
  ///
  /// No device ever has it. The client file behind it is expired from the start: the consumer's cursor holds history, the file
  /// does not. A consumer that uploads as a client does, with ``integrate(_:)``, therefore names bases at or after its cursor.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read or written.
  /// - Complexity: O(*n*) in the consumers of the realm.
  public func feedAuthor(_ consumer: String, random: inout some RandomNumberGenerator) throws -> FileIdent {
    if let known = try translatingErrors({ try FeedAuthors(in: file.store.latestSnapshot()).idents[consumer] }) {
      return known
    }
    let allocated = try allocateClientFile(.consumer, random: &random).ident
    try retireClientFile(allocated)
    return try file.write(isRecorded: false) { session in
      var authors = try FeedAuthors(in: session.transaction)
      if let known = authors.idents[consumer] { return known }
      authors.idents[consumer] = allocated
      try authors.store(in: session.transaction)
      return allocated
    }
  }
}

/// The idents of consumers, by name: a root record that only files with writing consumers have.
///
///     count, (name, ident) …
struct FeedAuthors {
  private static let recordName = "feed authors"

  var idents: [String: FileIdent] = [:]

  /// - Throws: `StorageError` with code `corrupt` when the record is none.
  init(in reader: any StorageReader) throws {
    guard let bytes = try reader.rootRecord(Self.recordName) else { return }
    do {
      var content = ByteReader(bytes)
      for _ in 0..<(try content.readCount()) {
        let name = try content.readString()
        idents[name] = FileIdent(try content.readVarint())
      }
    } catch is ByteDecodingError {
      throw StorageError(.corrupt, "The consumers of the realm cannot be read. Restore the file from a backup.")
    }
  }

  func store(in transaction: WriteTransaction) throws {
    var writer = ByteWriter()
    writer.writeVarint(idents.count)
    for (name, ident) in idents.sorted(by: { $0.key < $1.key }) {
      writer.writeString(name)
      writer.writeVarint(ident.rawValue)
    }
    try transaction.setRootRecord(Self.recordName, writer.bytes)
  }
}
