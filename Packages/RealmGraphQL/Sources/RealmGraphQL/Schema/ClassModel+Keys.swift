import DataExchange
import DataModel
import GraphQL

extension ClassModel {
  /// The key of an object that an argument names.
  ///
  /// - Throws: `GraphQLError` when it is no key of the class.
  func objectKey(_ given: GraphQLValue) throws -> ObjectKey {
    let found: ObjectKey?
    if let key {
      found = RealmInput.scalar(given, key.property.type).flatMap { ObjectKey($0) }
    } else {
      found = given.string.flatMap { KeyText.key($0, of: schema) }
    }
    guard let found, found != .null || key?.property.isOptional == true else {
      throw GraphQLError("\"\(keyName)\" is no key of class \"\(className)\".", code: "BAD_ARGUMENT")
    }
    return found
  }
}
