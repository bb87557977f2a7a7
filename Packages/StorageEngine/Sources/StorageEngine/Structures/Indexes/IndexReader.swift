/// The entries of one ordered index, for reading: pairs of key and row, ascending by key, then by row.
///
/// Several rows may have one key: a caller that wants unique keys asks before it inserts. The methods for keys of
/// another kind than the index has find no entries. Valid while the snapshot or transaction that it came from is.
///
/// - Complexity: a look-up is O(log n). Within a write transaction, look-ups of one key find pending edits without
///   merging them; counts and ranges merge them first.
public struct IndexReader {
  /// The direction of a scan.
  public enum Direction: Sendable { case ascending, descending }

  enum Source {
    case int(TreeReader<IntBlock>)
    case bytes(TreeReader<BytesBlock>)
    case intWriter(TreeWriter<IntBlock>)
    case bytesWriter(TreeWriter<BytesBlock>)
  }

  let source: Source

  /// The number of entries.
  ///
  /// - Throws: ``StorageError`` when pending edits of a write transaction cannot be merged.
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
  /// The tree with all pending edits merged; nil for the other kind.
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
