import DataModel

/// Builds a ``WriteSet`` from the bytes of changesets, without decoding the values of plain updates.
///
///     var collector = WriteSetCollector()
///     for entry in download { try collector.add(entry.changeset[...], with: &decoder) }
///     collector.writeSet.mayConflict(with: mine)
public struct WriteSetCollector {
  private var found: [Int] = []
  private var hasSchema = false
  /// Runs of instructions address one object, which is added once.
  private var last: ObjectReference?
  private var hasher = ObjectHasher()
  /// Whether a changeset names an object by a provisional key; see ``Changeset/resolveProvisionalKeys()``.
  public private(set) var hasProvisionalKeys = false

  /// A collector without any changeset.
  public init() {}

  /// The write set of all changesets added.
  ///
  /// - Complexity: O(*n* log *n*) in the number of objects.
  public var writeSet: WriteSet { WriteSet(found, hasSchema: hasSchema) }

  mutating func add(_ instruction: Instruction) {
    guard let object = instruction.object else {
      hasSchema = true
      return
    }
    guard object != last else { return }
    found.append(hasher.hash(object))
    last = object
  }

  /// Adds the changeset of these bytes.
  ///
  /// - Throws: ``ChangesetDecodingError`` when the bytes are no changeset; the collector must not be used afterwards.
  /// - Complexity: O(*n*) in the number of bytes.
  public mutating func add(
    _ changeset: ArraySlice<UInt8>, with decoder: inout ChangesetDecoder
  ) throws(ChangesetDecodingError) {
    decoder.start(changeset)
    while let instruction = try decoder.reader.next() {
      add(instruction)
      if !hasProvisionalKeys { hasProvisionalKeys = instruction.hasProvisionalKeys }
      while try decoder.reader.nextCell() != nil {}
    }
  }
}
