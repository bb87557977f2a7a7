import DataModel
import Foundation

// Fast conversion of large arrays of arguments: the type is examined once, not per element.

extension Value {
  /// The values of an array whose elements all are of one plain type; nil for every other literal.
  static func list(ofTypedArray any: Any) -> [Value]? {
    let type = Swift.type(of: any)
    if type == [String].self, let list = any as? [String] { return list.map { .string($0) } }
    if type == [Int].self, let list = any as? [Int] { return list.map { .int(Int64($0)) } }
    if type == [Int64].self, let list = any as? [Int64] { return list.map { .int($0) } }
    if type == [Double].self, let list = any as? [Double] { return list.map { .double($0) } }
    if type == [ObjectId].self, let list = any as? [ObjectId] { return list.map { .objectId($0) } }
    if type == [UUID].self, let list = any as? [UUID] { return list.map { .uuid($0) } }
    return nil
  }

  /// The value of a literal of exactly one of the most frequent types; nil for every other literal.
  static func plain(_ any: Any) -> Value? {
    let type = Swift.type(of: any)
    if type == String.self { return (any as? String).map { .string($0) } }
    if type == Int.self { return (any as? Int).map { .int(Int64($0)) } }
    if type == Double.self { return (any as? Double).map { .double($0) } }
    if type == Bool.self { return (any as? Bool).map { .bool($0) } }
    return nil
  }
}
