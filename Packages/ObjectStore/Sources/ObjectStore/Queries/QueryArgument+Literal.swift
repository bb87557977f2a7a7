import DataModel
import Foundation
import QueryLanguage
import StorageEngine
import RecordStore

extension QueryArgument {
  /// The argument for a value of an application. A value that is no argument stops the program.
  init(literal any: Any) {
    if let list = Value.list(ofTypedArray: any) {
      self = .list(list)
    } else if let shape = any as? any GeoRegionShape {
      self = .shape(shape.queryShape)
    } else if let list = any as? any LiteralElements {
      self = .list(list.literalElements.map { Value(literal: $0) })
    } else if let list = any as? [Any] {
      self = .list(list.map { Value(literal: $0) })
    } else {
      self = .value(Value(literal: any))
    }
  }
}

extension Value {
  /// The value for a literal. A literal without a value stops the program.
  init(literal any: Any) {
    if let plain = Self.plain(any) {
      self = plain
      return
    }
    var any = any
    if let optional = any as? any AnyOptional {
      guard let unwrapped = optional.unwrapped else {
        self = .null
        return
      }
      any = unwrapped
    }
    if let standing = any as? any _QueryLiteral {
      self = standing._queryLiteral.map { Value(literal: $0) } ?? .null
      return
    }
    if !(type(of: any) is NSNumber.Type), let raw = (any as? any RawRepresentable)?.rawValue {
      self.init(literal: raw)
      return
    }
    if case .decimal(let number)? = NumberLiteral(any), let exact = Decimal128(validating: number.description) {
      self = .decimal128(exact)
    } else if any is NSNull {
      self = .null
    } else if let object = any as? ObjectBase {
      self = .link(object.reference)
    } else if let stored = StoredValue(literal: any, .any, isNullable: true), let value = stored.scalar {
      self = value
    } else {
      violated("A query cannot have '\(any)' as an argument.")
    }
  }
}

extension ObjectBase {
  /// Class and key of a live object. An unmanaged object gets a key that no object of a realm has.
  var reference: ObjectReference {
    guard let access = state.pointee.access?.takeUnretainedValue() else {
      return ObjectReference(
        className: type(of: self).className(), key: .global(GlobalKey(high: .max, low: .max)))
    }
    let row = state.pointee.row
    return access.view.reading(or: ObjectReference(className: access.layout.name, key: .null)) {
      ObjectReference(className: access.layout.name, key: try access.view.readView.queryKey(row, access.layout))
    }
  }
}
