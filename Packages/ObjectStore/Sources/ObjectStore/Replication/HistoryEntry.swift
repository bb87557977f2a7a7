import ByteCoding
import ChangesetOT

/// One entry of the history log: a changeset with who made it, when, and on top of what.
///
/// In a client file it stands at the version that the commit made, and only local changesets have an entry. In a
/// server file it stands at its server version, and every uploaded changeset has one, even when merging left nothing.
///
/// Bytes: variable-length integers of ``origin`` (timestamp, file), ``author``, ``authorVersion``, ``base`` and
/// ``cumulativeBytes``, then the changeset to the end.
struct HistoryEntry: Hashable {
  /// When and where it was made. The file is ``FileIdent/none`` for the file itself.
  var origin: ChangesetOrigin
  /// Server file: the client file that uploaded it. ``FileIdent/none`` in a client file.
  var author = FileIdent.none
  /// Server file: the author's client version. 0 in a client file.
  var authorVersion = ClientVersion.zero
  /// Client file: the server version that was integrated when it was made. 0 in a server file.
  var base = ServerVersion.zero
  /// Server file: bytes of all changesets up to and including this one.
  var cumulativeBytes = 0
  var changeset: [UInt8]

  /// The name of the log.
  static let log = "history"

  /// An entry of a client file's own history.
  init(local changeset: [UInt8], timestamp: OriginTimestamp, base: ServerVersion) {
    origin = ChangesetOrigin(timestamp: timestamp, file: .none)
    self.base = base
    self.changeset = changeset
  }

  /// An entry of a server file's history.
  init(
    uploaded changeset: [UInt8], origin: ChangesetOrigin, author: FileIdent, authorVersion: ClientVersion,
    cumulativeBytes: Int
  ) {
    self.origin = origin
    self.author = author
    self.authorVersion = authorVersion
    self.cumulativeBytes = cumulativeBytes
    self.changeset = changeset
  }

  init(decoding bytes: [UInt8]) throws(ByteDecodingError) {
    var reader = ByteReader(bytes)
    let timestamp = OriginTimestamp(try reader.readVarint())
    origin = ChangesetOrigin(timestamp: timestamp, file: FileIdent(try reader.readVarint()))
    author = FileIdent(try reader.readVarint())
    authorVersion = ClientVersion(try reader.readVarint())
    base = ServerVersion(try reader.readVarint())
    cumulativeBytes = try reader.readVarint()
    changeset = try reader.readBytes(reader.remaining)
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter(capacity: changeset.count + 32)
    writer.writeVarint(origin.timestamp.rawValue)
    writer.writeVarint(origin.file.rawValue)
    writer.writeVarint(author.rawValue)
    writer.writeVarint(authorVersion.rawValue)
    writer.writeVarint(base.rawValue)
    writer.writeVarint(cumulativeBytes)
    writer.writeBytes(changeset)
    return writer.bytes
  }
}
