import DataModel
import RecordStore

extension ResultsSource {
  /// Stops the program at a key path by which objects cannot be sorted or told apart: each name but the last must be a
  /// link to one object, and the last a property of one value.
  ///
  /// - Parameter verb: "sort" or "distinct", for the reason.
  /// - Complexity: O(*m*) in the names.
  func check(_ keyPath: String, _ verb: String) {
    guard let access = elementAccess else { return }
    let schema = view.querySchema
    func refuse(_ reason: String) -> Never { violated("Cannot \(verb) on key path '\(keyPath)': \(reason)") }
    var className = access.layout.name
    let names = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (position, name) in names.enumerated() {
      let isLast = position == names.count - 1
      // "self" is the element.
      if names == ["self"] || name.hasPrefix("@") && !isLast && position > 0 { return }
      guard let property = schema[className]?.property(written: name) else {
        refuse("property '\(className).\(name)' does not exist.")
      }
      let place = "property '\(className).\(name)'"
      guard property.collection == .single, property.type != .linkingObjects else {
        refuse("\(place) is of unsupported type '\(property.type == .linkingObjects ? "linking objects" : "array")'.")
      }
      guard property.type == .object else {
        guard isLast else {
          refuse("\(place) of type '\(property.type.text)' may only be the final property in the key path.")
        }
        return
      }
      if isLast { refuse("\(place) of type 'object' cannot be the final property in the key path.") }
      className = property.objectClassName ?? ""
    }
  }
}

extension ObjectSchema {
  /// The property of that name in code, or of that stored name; nil for none.
  fileprivate func property(written name: String) -> Property? {
    self[name] ?? properties.first { $0.columnName == name }
  }
}
