import DataModel

extension RealmExport {
  func writeJSON(to path: String) throws -> Int {
    let sink = try TextSink(path: path)
    let count = try writeJSON { try sink.write($0) }
    try sink.close()
    return count
  }

  /// Passes the JSON document to `write` piece by piece: one object per line. O(n), n the number of values.
  ///
  /// - Returns: the number of objects.
  /// - Throws: the error of `write`; `RecordStoreError` when the realm cannot be read.
  @discardableResult
  public func writeJSON(_ write: (String) throws -> Void) throws -> Int {
    var count = 0
    try write("{\n  \"format\": \"openrealm\",\n  \"version\": 1,\n")
    try write("  \"schemaVersion\": \(contents.schemaVersion),\n  \"schema\": \(SchemaText.json(contents.schema)),\n")
    try write("  \"objects\": {")
    for (number, object) in classes.enumerated() {
      try write((number == 0 ? "\n    " : ",\n    ") + JSONText.quoted(object.className) + ": [")
      var isFirst = true
      try forEachObject(of: object.className) { record in
        try write((isFirst ? "\n      " : ",\n      ") + codec.json(record.fields, object, key: record.key))
        isFirst = false
        count += 1
      }
      try write(isFirst ? "]" : "\n    ]")
    }
    try write("\n  }\n}\n")
    return count
  }
}
