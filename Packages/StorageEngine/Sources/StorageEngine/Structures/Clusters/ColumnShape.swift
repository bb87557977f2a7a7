extension ColumnType {
  /// Bytes of one cluster's cells; see ``ClusterColumn``.
  var clusterWidth: Int {
    switch self {
    case .int, .link, .double, .data, .mixed, .list, .map: 256 * 8
    case .string: 256 * 12
    case .float: 256 * 4
    case .bool: 32
    case .timestamp: 256 * 12
    case .objectId: 256 * 12
    case .uuid, .decimal128: 256 * 16
    }
  }

  /// The distance between cells in bytes, where cells are not bits; of cells in two parts, that of the first part.
  var cellWidth: Int {
    switch self {
    case .string, .timestamp: 8
    default: clusterWidth / 256
    }
  }

  /// Whether cells are ranges of a heap.
  var isVariable: Bool {
    switch self {
    case .string, .data, .mixed, .list, .map: true
    default: false
    }
  }
}

/// The properties of a column that decide its room in a cluster.
struct ColumnShape: Sendable {
  var id: Int
  var type: ColumnType
  var isNullable: Bool
}

/// The shapes of a table's columns, shared by the versions that have the same columns.
struct ColumnShapes: Sendable {
  /// Ascending by number.
  private(set) var present: [ColumnShape]
  /// Nil where the table has no column.
  private var byNumber: [ColumnShape?]

  /// - Parameter next: above the numbers of all columns.
  init(_ columns: [ColumnDefinition], next: Int) {
    present = columns.map { ColumnShape(id: $0.id.rawValue, type: $0.type, isNullable: $0.isNullable) }
    var shapes = [ColumnShape?](repeating: nil, count: next)
    for shape in present { shapes[shape.id] = shape }
    byNumber = shapes
  }

  /// Adds a column, whose number is above all others.
  mutating func add(_ column: ColumnDefinition) {
    let shape = ColumnShape(id: column.id.rawValue, type: column.type, isNullable: column.isNullable)
    present.append(shape)
    byNumber += repeatElement(nil, count: shape.id + 1 - byNumber.count)
    byNumber[shape.id] = shape
  }

  subscript(column: ColumnID) -> ColumnShape? {
    byNumber.indices.contains(column.rawValue) ? byNumber[column.rawValue] : nil
  }
}
