import ByteCoding

extension RealmQueries {
  /// The classes and query texts of a subscription set, as it is written.
  ///
  /// - Throws: the errors of JSON texts.
  static func texts(of json: String) throws -> [(className: String, text: String)] {
    (try JSONValue(parsing: json).members ?? []).flatMap { className, value in
      (value.string.map { [$0] } ?? value.elements?.compactMap(\.string) ?? []).map { (className, $0) }
    }
  }
}
