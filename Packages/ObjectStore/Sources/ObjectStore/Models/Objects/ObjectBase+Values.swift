import DataModel
import Foundation
import StorageEngine
import RecordStore

// Access to objects by property names: literals, subscripts, descriptions.

extension ObjectBase {
  var binding: ClassBinding { ClassBinding.of(type(of: self)) }

  /// The address of the object, from which the offsets of its properties count.
  var memory: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Sets the properties of an unmanaged object.
  func fill(from value: Any) {
    let binding = self.binding
    switch value {
    case let values as [String: Any]:
      // Unknown names are skipped: values often come from foreign JSON.
      for property in binding.properties {
        if let any = values[property.name] { fill(property, any) }
      }
    case let values as [Any]:
      let stored = binding.properties.filter { $0.access.propertyType.type != .linkingObjects }
      rule(
        values.count <= stored.count,
        "Invalid array input: more values (\(values.count)) than properties (\(stored.count)).")
      for (property, any) in zip(stored, values) { fill(property, any) }
    case let object as ObjectBase:
      let names = Dictionary(object.literalNames.map { ($0.name, $0.column) }, uniquingKeysWith: { first, _ in first })
      let mapping = object is DynamicObject ? type(of: self).propertiesMapping() : [:]
      for property in binding.properties where property.access.propertyType.type != .linkingObjects {
        let name = mapping[property.name] ?? property.name
        if names[name] != nil { fill(property, object.literal(named: name) ?? NSNull()) }
      }
    default:
      violated("An object of '\(type(of: self).className())' is made from a dictionary, an array or an object.")
    }
  }

  private func fill(_ property: BoundProperty, _ any: Any) {
    var any = any
    if let optional = any as? any AnyOptional { any = optional.unwrapped ?? NSNull() }
    guard property.access.setUnmanaged(memory + property.offset, any) else {
      refuse(any, property)
    }
  }

  /// Stops the program at a value that is none of a property.
  private func refuse(_ any: Any, _ property: BoundProperty) -> Never {
    if let custom = property.access.customType { violated("Could not convert value '\(any)' to type '\(custom)'.") }
    violated("Invalid value '\(any)' for property '\(type(of: self).className()).\(property.name)'.")
  }

  /// Sets a property of an unmanaged object by its name in code; false for an unknown name and for a value of another
  /// type.
  func take(_ value: Any, named name: String) -> Bool {
    guard let property = binding.properties.first(where: { $0.name == name }) else { return false }
    return property.access.setUnmanaged(memory + property.offset, value)
  }

  /// The value of a property by its name in code: an integer as `NSNumber`, an enumeration or custom type as its stored
  /// form. An unknown name stops the program.
  public func value(forKey key: String) -> Any? { self[key] }

  /// Sets a property by its name in code. An unknown name, or a value of another type, stops the program.
  public func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  /// The property of that name in code, and its number. An unknown name stops the program.
  private func bound(named key: String) -> (property: BoundProperty, number: Int) {
    let properties = binding.properties
    guard let number = properties.firstIndex(where: { $0.name == key }) else {
      violated("Class '\(type(of: self).className())' has no property '\(key)'.")
    }
    return (properties[number], number)
  }

  /// A property by its name in code; of a mixed value its content, of an enumeration or custom type its stored form. An
  /// unknown name stops the program.
  func property(named key: String) -> Any? {
    let (property, number) = bound(named: key)
    let value = property.access.read(self, memory + property.offset, number)
    if let mixed = value as? AnyRealmValue { return mixed._queryLiteral }
    if let stored = value as? any _StoredAs { return stored._persistedValue }
    return value
  }

  /// Sets a property by its name in code. An unknown name, or a value of another type, stops the program.
  func setProperty(named key: String, _ newValue: Any?) {
    let (property, number) = bound(named: key)
    guard property.access.assign(newValue ?? NSNull(), self, memory + property.offset, number) else {
      refuse(newValue ?? "nil", property)
    }
  }
}

extension Persisted {
  static func read(_ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Any? {
    let wrapper = memory.assumingMemoryBound(to: Self.self)
    if object.state.pointee.view == nil || Value._isStoredInObject {
      let value = wrapper.pointee.value ?? Value._initialValue(object.state, number)
      if Value._isKept(object.state) { wrapper.pointee.value = value }
      return (value as? any AnyOptional)?.isNil == true ? nil : value
    }
    let value = Value._read(object.state, number)
    if let optional = value as? any AnyOptional { return optional.unwrapped }
    return value
  }

  static func assign(_ any: Any, _ object: ObjectBase, _ memory: UnsafeMutableRawPointer, _ number: Int) -> Bool {
    let isUnmanaged = object.state.pointee.view == nil
    if isUnmanaged, !Value._isStoredInObject { return setUnmanaged(memory, any) }
    guard let value = Value._convertedProperty(any) else { return false }
    Value._assign(value, object, number)
    if isUnmanaged { memory.assumingMemoryBound(to: Self.self).pointee.isAssigned = true }
    return true
  }
}
