/// Decodes consecutive changesets, and reuses the strings that they define alike.
///
/// Changesets of one app define the same names again and again: a definition with known bytes allocates no string.
///
///     var decoder = ChangesetDecoder()
///     for entry in download { changesets.append(try decoder.decode(entry.changeset[...], origin: entry.author)) }
///
/// Guarantee: the result of a changeset does not depend on those before it. One owner at a time.
public struct ChangesetDecoder: Sendable {
  /// The reader of the last started changeset, for callers that take one instruction at a time.
  public var reader = ChangesetReader([])
  /// The number of instructions of the last changeset.
  private var count = 0

  /// A decoder without known strings.
  public init() {}

  /// Decodes the bytes of a changeset, as `Changeset.init(decoding:origin:)`.
  ///
  /// - Throws: ``ChangesetDecodingError`` with the byte at which the first offending item begins.
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func decode(
    _ bytes: ArraySlice<UInt8>, origin: ChangesetOrigin
  ) throws(ChangesetDecodingError) -> Changeset {
    start(bytes)
    var instructions: [Instruction] = []
    // Room for as many as in the last changeset, but never for more than the bytes can contain.
    instructions.reserveCapacity(min(bytes.count, max(bytes.count / 12, count)))
    while let instruction = try reader.next() { instructions.append(instruction) }
    count = instructions.count
    return Changeset(instructions: instructions, origin: origin)
  }

  /// Moves ``reader`` to the first instruction of a changeset. O(1).
  public mutating func start(_ bytes: ArraySlice<UInt8>) { reader.restart(bytes) }
}
