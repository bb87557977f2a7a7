/// Decodes one changeset after another. Those of one app define the same names again and again, which are made once.
///
///     var decoder = ChangesetDecoder()
///     for entry in download { changesets.append(try decoder.decode(entry.changeset[...], origin: entry.author)) }
///
/// What a changeset decodes to does not depend on those before it.
public struct ChangesetDecoder: Sendable {
  /// Reads the changeset that was started last, for who needs no array of its instructions.
  public var reader = ChangesetReader([])
  /// How many instructions the last changeset had.
  private var count = 0

  /// A decoder that has seen nothing.
  public init() {}

  /// Decodes the bytes of a changeset, as ``Changeset/init(decoding:origin:)``.
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func decode(
    _ bytes: ArraySlice<UInt8>, origin: ChangesetOrigin
  ) throws(ChangesetDecodingError) -> Changeset {
    start(bytes)
    var instructions: [Instruction] = []
    // As many as in the last one, but never more than there can be.
    instructions.reserveCapacity(min(bytes.count, max(bytes.count / 12, count)))
    while let instruction = try reader.next() { instructions.append(instruction) }
    count = instructions.count
    return Changeset(instructions: instructions, origin: origin)
  }

  /// Puts ``reader`` at the first instruction of a changeset.
  public mutating func start(_ bytes: ArraySlice<UInt8>) { reader.restart(bytes) }
}
