extension Changeset {
  /// Decodes the bytes of a changeset.
  ///
  ///     try Changeset(decoding: [], origin: origin).isEmpty      // true: zero bytes are the empty changeset
  ///
  /// - Parameters:
  ///   - bytes: the bytes of an upload, a download or a history.
  ///   - origin: the origin, which messages and histories store beside the bytes.
  /// - Throws: ``ChangesetDecodingError`` with the byte at which the first offending item begins.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(decoding bytes: [UInt8], origin: ChangesetOrigin) throws(ChangesetDecodingError) {
    try self.init(decoding: bytes[...], origin: origin)
  }

  /// Decodes a slice; positions in errors count from its start.
  ///
  /// - Throws: ``ChangesetDecodingError`` with the byte at which the first offending item begins.
  /// - Complexity: O(*n*) in the number of bytes.
  public init(decoding bytes: ArraySlice<UInt8>, origin: ChangesetOrigin) throws(ChangesetDecodingError) {
    var decoder = ChangesetDecoder()
    self = try decoder.decode(bytes, origin: origin)
  }

  /// The bytes of this changeset; none when there is no instruction.
  ///
  /// Equal changesets give equal bytes. Decoding them gives the same instructions again.
  ///
  /// - Parameter order: the position of string definitions; receivers accept both.
  /// - Complexity: O(*n*) in the number of instructions.
  public func encoded(strings order: ChangesetWriter.StringOrder = .atFront) -> [UInt8] {
    var writer = ChangesetWriter(order: order, capacity: instructions.count * 8)
    for instruction in instructions { writer.append(instruction) }
    return writer.finish()
  }
}
