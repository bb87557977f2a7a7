public import DataModel

/// One snapshot of a store, as queries see it.
///
/// The evaluator asks for a table once per class and query, for clusters once per scan, and for columns once per
/// cluster and condition: the cost of a call through these protocols is spread over 256 rows. Everything returned stays
/// valid and unchanged as long as the source itself is held.
///
/// Reading may fail (a damaged or missing page); such errors pass through the evaluator unchanged. A source is used from
/// one thread at a time.
public protocol QuerySource {
  /// The classes. Properties are named below by their position in `ObjectSchema.properties` of this schema, and plans
  /// are resolved against this very schema.
  var schema: Schema { get }

  /// The rows of a class; nil when the schema has no such class.
  func table(_ className: String) throws -> (any QueryTable)?
}

/// The rows of one class at one snapshot, in clusters.
public protocol QueryTable: AnyObject {
  /// The class, with properties in the order that property positions refer to.
  var schema: ObjectSchema { get }
  /// The number of rows.
  var rowCount: Int { get }
  /// One more than the largest row key in use, or more.
  var rowKeyBound: QueryRow { get }
  /// The number of clusters. Clusters and their rows are in the order of the collection queried.
  var clusterCount: Int { get }

  /// The cluster at a position below ``clusterCount``.
  func cluster(at position: Int) throws -> any QueryCluster

  /// The place of a row; nil when there is no such row.
  func location(of row: QueryRow) throws -> RowLocation?

  /// The row of the object with this key; nil when there is none.
  func row(forKey key: ObjectKey) throws -> QueryRow?

  /// The key of the object in this row; nil when there is no such row.
  func objectKey(of row: QueryRow) throws -> ObjectKey?

  /// The ordered index over a property, for the primary key and indexed properties; nil when there is none.
  func index(over property: Int) throws -> (any QueryIndex)?

  /// Appends the rows of `originClass` whose link property at position `property` holds `row`: one entry for each
  /// occurrence, in the order of the origin's rows.
  func appendBacklinks(
    of row: QueryRow, from originClass: String, property: Int, to rows: inout [QueryRow]) throws

  /// The number of links to `row` from everywhere, one for each occurrence, links in mixed values included.
  func incomingLinkCount(of row: QueryRow) throws -> Int
}

/// A place in a table.
public struct RowLocation: Hashable, Sendable {
  /// The position of the cluster in its table.
  public var cluster: Int
  /// The position of the row in its cluster.
  public var slot: Int

  /// A place.
  public init(cluster: Int, slot: Int) {
    self.cluster = cluster
    self.slot = slot
  }
}
