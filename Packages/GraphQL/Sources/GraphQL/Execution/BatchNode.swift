/// One batch of a running request, with the columns of its fields.
final class BatchNode {
  /// The objects of one type.
  final class Group {
    let batch: any ObjectBatch
    let typeName: String
    let calls: [FieldCall]
    var columns: [Column]
    /// The reason why these objects cannot stand here.
    let problem: GraphQLError?

    init(batch: any ObjectBatch, typeName: String, calls: [FieldCall], problem: GraphQLError?) {
      self.batch = batch
      self.typeName = typeName
      self.calls = calls
      self.problem = problem
      columns = Array(repeating: .unsettled, count: calls.count)
    }
  }

  /// A column that is ready to be written.
  enum Column {
    case unsettled
    case typeName([UInt8])
    case leaves(any LeafColumn)
    case values([ResolvedValue])
    case objects(BatchNode, ObjectPlaces)
    case failure(any Error)
  }

  let groups: [Group]
  /// The group of each object and its position there; empty when there is one group.
  let places: [(group: Int, position: Int)]

  init(groups: [Group], places: [(group: Int, position: Int)]) {
    self.groups = groups
    self.places = places
  }
}
