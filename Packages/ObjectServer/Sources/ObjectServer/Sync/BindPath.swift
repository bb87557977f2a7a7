import SyncProtocol

extension SyncProtocol.RealmPath {
  /// The text of the path as `Permissions` reads it.
  var permissionsText: String {
    guard let partition else { return description }
    return switch partition {
    case .null: "null"
    case .string(let text): JSONValue.string(text).text
    case .integer(let number): "{\"$numberLong\":\"\(number)\"}"
    case .objectId(let digits): "{\"$oid\":\"\(digits)\"}"
    case .uuid(let base64): "{\"$binary\":{\"base64\":\"\(base64)\",\"subType\":\"04\"}}"
    }
  }
}
