import DataModel

/// Models for Realm .NET.
struct CSharpModels: ModelWriter {
  let schema: Schema

  var header: String {
    """
    using System;
    using System.Collections.Generic;
    using MongoDB.Bson;
    using Realms;

    """
  }

  func code(_ object: ObjectSchema) -> String {
    let base =
      switch object.kind {
      case .topLevel: "IRealmObject"
      case .embedded: "IEmbeddedObject"
      case .asymmetric: "IAsymmetricObject"
      }
    let name = CodeName.capitalized(object.className)
    var lines: [String] = []
    if name != object.className { lines.append("[MapTo(\(CodeName.literal(object.className)))]") }
    lines += ["public partial class \(name) : \(base)", "{"]
    for (number, property) in object.properties.enumerated() {
      if number > 0 { lines.append("") }
      if property.name == object.primaryKey {
        lines.append("    [PrimaryKey]")
      } else if property.isIndexed {
        lines.append("    [Indexed]")
      }
      // A member may not be called like its class.
      var member = CodeName.capitalized(property.name)
      if member == name { member += "Value" }
      if member != property.name { lines.append("    [MapTo(\(CodeName.literal(property.name)))]") }
      lines.append("    public \(type(property)) \(member) \(accessors(property))")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func type(_ property: Property) -> String {
    let isLink = property.type == .object
    let element = element(property)
    let optional = element + (property.isOptional && property.type != .any && !isLink ? "?" : "")
    switch property.collection {
    case .single: return isLink ? element + "?" : optional
    case .list: return "IList<\(optional)>"
    case .set: return "ISet<\(optional)>"
    case .dictionary: return "IDictionary<string, \(isLink ? element + "?" : optional)>"
    }
  }

  private func accessors(_ property: Property) -> String {
    guard property.collection == .single else { return "{ get; } = null!;" }
    let needsValue = !property.isOptional && (property.type == .string || property.type == .data)
    guard needsValue else { return "{ get; set; }" }
    return "{ get; set; } = \(property.type == .string ? "\"\"" : "Array.Empty<byte>()");"
  }

  private func element(_ property: Property) -> String {
    switch property.type {
    case .int: "long"
    case .bool: "bool"
    case .string: "string"
    case .data: "byte[]"
    case .date: "DateTimeOffset"
    case .float: "float"
    case .double: "double"
    case .object: property.objectClassName.map(CodeName.capitalized) ?? "IRealmObject"
    case .any, .linkingObjects: "RealmValue"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .UUID: "Guid"
    }
  }
}
