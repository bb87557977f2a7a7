/// The entries of one ordered index, for reading: pairs of key and row, ascending by key, then by row.
///
/// Several rows may have one key. Whether keys are unique is for the caller to see to, by asking before inserting.
/// Methods for the other kind of key than the index has find nothing.
///
/// - Complexity: a look-up is O(log n). Within a write transaction, look-ups of one key find entries that wait to
///   be merged without merging them; counts and ranges merge them first.
public struct IndexReader {
  /// Which way a scan goes.
  public enum Direction: Sendable { case ascending, descending }

  enum Source {
    case int(TreeReader<IntBlock>)
    case bytes(TreeReader<BytesBlock>)
    case intWriter(TreeWriter<IntBlock>)
    case bytesWriter(TreeWriter<BytesBlock>)
  }

  let source: Source

  /// How many waiting edits a look-up of one key looks at before it merges them.
  static let overlayLimit = 256

  /// Entries in the index.
  public var count: Int {
    get throws {
      switch source {
      case .int(let tree): tree.count
      case .bytes(let tree): tree.count
      case .intWriter(let writer): try writer.current().count
      case .bytesWriter(let writer): try writer.current().count
      }
    }
  }
}

extension IndexReader {
  /// The tree with everything in it; nil for the other kind.
  func intTree() throws -> TreeReader<IntBlock>? {
    switch source {
    case .int(let tree): tree
    case .intWriter(let writer): try writer.current()
    default: nil
    }
  }

  func bytesTree() throws -> TreeReader<BytesBlock>? {
    switch source {
    case .bytes(let tree): tree
    case .bytesWriter(let writer): try writer.current()
    default: nil
    }
  }
}
