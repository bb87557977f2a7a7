import CLibPQ

extension PostgresConnection {
  /// The parameters that an address of libpq names, such as `postgresql://ann:secret@db.example.com/realms?sslmode=verify-full`.
  ///
  ///     try PostgresConnection.parameters(of: "postgresql:///shop?host=/run/postgresql")  // ["dbname": "shop", "host": …]
  ///
  /// - Throws: ``PostgresError`` with libpq's words when it is none.
  public static func parameters(of address: String) throws -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(address, &message) else {
      defer { PQfreemem(message) }
      throw PostgresError(message: message.map { String(cString: $0) } ?? "there is no memory for an address")
    }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { parameters[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return parameters
  }
}
