import DataModel
import Foundation

extension ConnectorConfiguration {
  /// Checks what settings say together.
  ///
  /// - Throws: ``ConfigurationError``
  func check() throws {
    guard !realmPath.isEmpty else { throw ConfigurationError("[realm] needs the path of the realm") }
    _ = try RealmPathTemplate(realmPath)
    do { _ = try realmPattern.isEmpty ? nil : NSRegularExpression(pattern: realmPattern) } catch {
      throw ConfigurationError("the pattern '\(realmPattern)' is no regular expression")
    }
    guard !name.isEmpty, name.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "_" }), name.utf8.count <= 40 else {
      throw ConfigurationError("the name '\(name)' has other characters than a-z, 0-9 and _, or is too long")
    }
    guard !schema.objectSchema.isEmpty else { throw ConfigurationError("a connector needs classes: [class.Name]") }
    for layout in schema.objectSchema where layout.kind != .embedded && layout.primaryKey == nil {
      throw ConfigurationError("class '\(layout.className)' needs a primary-key")
    }
    do { try schema.validate() } catch { throw ConfigurationError("the classes do not form a schema: \(error)") }
    try checkPlaces()
    for layout in schema.objectSchema where layout.kind != .embedded {
      for property in layout.properties {
        guard let target = schema[property.objectClassName ?? ""], target.kind != .embedded else { continue }
        guard path(of: target.className) == path(of: layout.className) else {
          throw ConfigurationError(
            "\(layout.className).\(property.name) links to \(target.className), which [paths] puts into other realms")
        }
      }
    }
  }

  /// Settings for classes and properties name some that there are.
  private func checkPlaces() throws {
    func check(_ place: String, _ table: String, class isClass: Bool, property isProperty: Bool) throws {
      let words = place.split(separator: ".", maxSplits: 1).map(String.init)
      if isClass, schema[place] != nil { return }
      if isProperty, words.count == 2, schema[words[0]]?[words[1]] != nil { return }
      let kinds = (isClass ? ["Class"] : []) + (isProperty ? ["Class.property"] : [])
      throw ConfigurationError(
        "[\(table)] names '\(place)', which is no \(kinds.joined(separator: " or ")) of the settings")
    }
    for place in tableNames.keys.sorted() { try check(place, "tables", class: true, property: true) }
    for place in columnNames.keys.sorted() { try check(place, "columns", class: false, property: true) }
    for (name, path) in classPaths.sorted(by: { $0.key < $1.key }) {
      try check(name, "paths", class: true, property: false)
      _ = try RealmPathTemplate(path)
    }
    for place in embeddedTables.sorted() {
      try check(place, "embedded", class: false, property: true)
      let words = place.split(separator: ".", maxSplits: 1).map(String.init)
      let property = schema[words[0]]?[words[1]]
      guard schema[property?.objectClassName ?? ""]?.kind == .embedded,
        property?.collection == .single || property?.collection == .list, schema[words[0]]?.kind != .embedded
      else {
        throw ConfigurationError("[embedded] names '\(place)', which is no embedded object or list of them in a class")
      }
    }
  }
}
