import DataModel

/// Tells keys of dictionaries from fields of embedded objects, which changesets address alike.
struct PlaceKinds {
  private let classes: [String: ObjectSchema]

  /// The places of the classes of a schema.
  init(_ schema: Schema) {
    classes = Dictionary(schema.objectSchema.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a place is a dictionary, or a mixed value; otherwise it is an embedded object.
  ///
  /// - Complexity: O(*n*) in the steps of the place.
  func isDictionary(_ place: AdapterPlace) -> Bool {
    guard var property = classes[place.object.className]?[place.property] else { return false }
    var collection = property.collection
    for step in place.path {
      switch step {
      case .index: collection = .single
      case .name(let name):
        guard collection == .single, property.type != .any else {
          collection = .single
          continue
        }
        guard let next = property.objectClassName.flatMap({ classes[$0]?[name] }) else { return false }
        (property, collection) = (next, next.collection)
      }
    }
    return collection == .dictionary || property.type == .any
  }
}
