public import DataModel
public import QueryLanguage

/// A small store in memory that answers queries: for tests and examples.
///
///     let source = MemorySource(schema: schema)
///     try source.add("Person", ["name": "Ada", "age": 36])
///     try plan.count(in: source)
///
/// Values of lists and sets are `.list`, of dictionaries `.dictionary`, of links `.link`. A link to an object that was
/// never added is an unresolved object.
public final class MemorySource: QuerySource {
  public let schema: Schema
  /// How rows are presented to the evaluator.
  public let presentation: Presentation
  private var tables: [String: MemoryTable] = [:]

  /// Choices that must not change any result.
  public struct Presentation: Sendable {
    /// Rows per cluster, from 1 to 256.
    public var clusterSize = 256
    /// Whether columns are arrays; otherwise every column is generic.
    public var hasColumns = true
    /// Whether integers are narrowed.
    public var narrowsIntegers = true
    /// Whether columns know their bounds.
    public var hasBounds = true
    /// Whether indexed properties and primary keys have an index.
    public var hasIndexes = true
    /// Whether every other slot of a cluster is empty; the cluster size is then at most 128.
    public var hasHoles = false
    /// Whether strings are kept as start and length of each, with the last first.
    public var hasRanges = false
    /// How many clusters' worth of row keys lie between neighbouring clusters.
    public var rowKeyStride: Int64 = 1

    public init() {}
  }

  public init(schema: Schema, presentation: Presentation = Presentation()) {
    self.schema = schema
    self.presentation = presentation
    for objectSchema in schema.objectSchema {
      tables[objectSchema.className] = MemoryTable(schema: objectSchema, presentation: presentation)
    }
    for table in tables.values { table.source = self }
  }

  public func table(_ className: String) -> (any QueryTable)? { tables[className] }

  /// The table of a class with its rows as values.
  public func memoryTable(_ className: String) -> MemoryTable? { tables[className] }

  /// Adds an object; properties that are not named are null or empty.
  ///
  /// - Returns: its row.
  @discardableResult
  public func add(_ className: String, _ values: [String: Value], key: ObjectKey? = nil) -> QueryRow? {
    tables[className]?.add(values, key: key)
  }

  /// Forgets what was derived from rows; called after a row changed.
  func invalidate() { for table in tables.values { table.invalidate() } }

  func row(of reference: ObjectReference) -> QueryRow? { tables[reference.className]?.rowOfKey[reference.key] }

  var allTables: [MemoryTable] { schema.objectSchema.compactMap { tables[$0.className] } }
}
