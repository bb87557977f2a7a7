import DataModel
import Foundation
import RecordStore

// Texts of objects and collections for people, as RealmSwift writes them.

/// The number of levels of objects and collections that a description shows.
let descriptionDepth = 5

/// The text in place of objects and collections that lie too deep.
private let tooDeep = "<Maximum depth exceeded>"

/// A type whose description nests objects and collections down to a limit.
protocol DepthDescribed {
  /// - Parameter depth: the number of levels to show.
  func describe(depth: Int) -> String
}

extension ObjectBase: DepthDescribed {
  /// Class, property names and values.
  func describe(depth: Int) -> String {
    if depth <= 0 { return tooDeep }
    if isInvalidated { return "[invalid object]" }
    let name = (self as? DynamicObject)?.storedClassName ?? String(describing: type(of: self))
    let names = literalNames.map(\.name)
    let lines = names.map { "\t\($0) = \(indented(ObjectStore.describe(value: self[$0], depth: depth)));\n" }
    return "\(name) {\n" + lines.joined() + "}"
  }
}

extension RealmCollection {
  /// The first 100 elements.
  func describe(depth: Int) -> String {
    if depth <= 0 { return tooDeep }
    let lines = prefix(100).enumerated().map { position, element in
      "\t[\(position)] \(indented(ObjectStore.describe(value: element, depth: depth)))"
    }
    let rest = count > 100 ? "\n\t... \(count - 100) objects skipped." : ""
    let name = String(describing: Self.self).prefix { $0 != "<" }
    let identity = Self.self is AnyClass ? self as AnyObject : _source as AnyObject?
    return "\(name)<\(elementName(Element.self, _source))> \(address(of: identity)) (\n"
      + lines.joined(separator: ",\n")
      + "\(rest)\n)"
  }
}

extension Map: DepthDescribed {
  /// The first 100 entries.
  func describe(depth: Int) -> String {
    if depth <= 0 { return tooDeep }
    let lines = entries().prefix(100).map { entry in
      "[\(entry.key)]: \(indented(ObjectStore.describe(value: entry.value, depth: depth)))"
    }
    let rest = count > 100 ? "\n\t... \(count - 100) objects skipped." : ""
    return "Map<string, \(elementName(Value.self, _source))> \(address(of: self)) (\n" + lines.joined(separator: ",\n")
      + "\(rest)\n)"
  }
}

/// A value of a property or collection: Booleans as 0 and 1, whole numbers without a fraction, data as hexadecimal digits, nil as `(null)`.
///
/// - Parameter depth: the number of levels of the object or collection that holds the value.
func describe(value: Any?, depth: Int) -> String {
  var value = value
  if let optional = value as? any AnyOptional { value = optional.unwrapped }
  if let mixed = value as? AnyRealmValue { value = mixed._queryLiteral }
  switch value {
  case nil: return "(null)"
  case let nested as any DepthDescribed: return nested.describe(depth: depth - 1)
  case let collection as any RealmCollection: return collection.describe(depth: depth - 1)
  case let data as Data:
    let digits = data.prefix(24).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "<\(digits) — \(data.count) total bytes>"
  case let decimal as Decimal128: return decimal.stringValue
  case let value?:
    switch NumberLiteral(value) {
    case .bool(let flag): return flag ? "1" : "0"
    case .float, .double: return withoutZeroFraction("\(value)")
    case .int, .decimal, nil: return "\(value)"
    }
  }
}

/// The text of a number as `NSNumber` writes it: `1`, not `1.0`.
private func withoutZeroFraction(_ number: String) -> String {
  number.hasSuffix(".0") ? String(number.dropLast(2)) : number
}

/// The name of an element type: that of its class, or of its stored type. The class of dynamic elements is known to the
/// live collection.
private func elementName<Element: RealmCollectionValue>(_: Element.Type, _ source: ResultsSource?) -> String {
  let type = Element._valueType
  if type.objectType == DynamicObject.self, let name = source?.elementAccess?.name { return name }
  return type.objectType.map { String(describing: $0) } ?? type.type.text
}

/// The address of an instance, which tells collections with equal elements apart.
func address(of instance: AnyObject?) -> String {
  "<0x\(String(instance.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? 0, radix: 16))>"
}

/// A text whose lines after the first are indented by one tab.
private func indented(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\n\t") }
