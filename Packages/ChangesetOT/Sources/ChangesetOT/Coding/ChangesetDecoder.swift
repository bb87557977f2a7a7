/// Decodes one changeset after another. Those of one app define the same names again and again, which are made once.
///
///     var decoder = ChangesetDecoder()
///     for entry in download { changesets.append(try decoder.decode(entry.changeset[...], origin: entry.author)) }
///
/// What a changeset decodes to does not depend on those before it.
public struct ChangesetDecoder: Sendable {
  /// What the last changeset defined.
  private var strings: [String] = []
  /// How many instructions the last changeset had.
  private var count = 0

  /// More texts than this are not kept from one changeset to the next: they are values rather than names.
  private static let limit = 256

  /// A decoder that has seen nothing.
  public init() {}

  /// Decodes the bytes of a changeset, as ``Changeset/init(decoding:origin:)``.
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func decode(
    _ bytes: ArraySlice<UInt8>, origin: ChangesetOrigin
  ) throws(ChangesetDecodingError) -> Changeset {
    var reader = ChangesetReader(bytes, expecting: strings)
    var instructions: [Instruction] = []
    // As many as in the last one, but never more than there can be.
    instructions.reserveCapacity(min(bytes.count, max(bytes.count / 12, count)))
    while let instruction = try reader.next() { instructions.append(instruction) }
    count = instructions.count
    if reader.strings.count <= Self.limit { strings = reader.strings }
    return Changeset(instructions: instructions, origin: origin)
  }
}
