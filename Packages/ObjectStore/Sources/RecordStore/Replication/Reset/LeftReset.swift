import ByteCoding
import ChangesetOT
import StorageEngine

/// A reset that was left to the application, as the file remembers it until it was made.
public struct LeftReset: Hashable, Sendable {
  /// The launch of the client that left it: any number that other launches do not have.
  public var launch: UInt64
  /// The path that the application was told for a copy of the file; empty for none.
  public var backup: String

  /// A reset that `launch` left to the application.
  public init(launch: UInt64, backup: String) {
    self.launch = launch
    self.backup = backup
  }
}

extension ClientHistory {
  private static let leftReset = "left reset"

  /// Notes that a reset is left to the application, durably. A note about the same state, since which nothing was downloaded,
  /// keeps its path; the file then counts as left by this launch.
  ///
  /// - Returns: the note as it was before, with the launch that made it; `reset` when there was none.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  public func leave(_ reset: LeftReset) throws -> LeftReset {
    try file.write(isRecorded: false) { session in
      let state = try ClientLog.state(in: session.transaction)
      var noted = reset
      if let bytes = try session.transaction.rootRecord(Self.leftReset) {
        var reader = ByteReader(bytes)
        let launch: UInt64 = try reader.readVarint()
        let ident: UInt64 = try reader.readVarint()
        let server: UInt64 = try reader.readVarint()
        let backup = try reader.readString()
        if ident == state.ident.ident.rawValue, server == state.progress.download.server.rawValue {
          noted = LeftReset(launch: launch, backup: backup)
        }
      }
      var writer = ByteWriter()
      writer.writeVarint(reset.launch)
      writer.writeVarint(state.ident.ident.rawValue)
      writer.writeVarint(state.progress.download.server.rawValue)
      writer.writeString(noted.backup)
      try session.transaction.setRootRecord(Self.leftReset, writer.bytes)
      return noted
    }
  }
}
