import ByteCoding

/// An object of a response, in a form that can be compared.
struct JSONObject: Equatable {
  var text: String

  /// The objects of the only list of a response.
  static func list(_ response: String) throws -> [JSONObject] {
    let data = try JSONValue(parsing: response)["data"]
    return (data?.members?.first?.value.elements ?? []).map { JSONObject(text: $0.text) }
  }

  /// A list with the changes of a response applied, as a client would.
  static func applying(_ response: String, to old: [JSONObject]) throws -> [JSONObject] {
    let changes = try JSONValue(parsing: response)["data"]?.members?.first?.value
    var list = changes?["isInitial"]?.bool == true ? [] : old
    for position in (changes?["deletions"]?.elements ?? []).reversed() { list.remove(at: Int(position.integer ?? 0)) }
    for name in ["insertions", "modifications"] {
      for entry in changes?[name]?.elements ?? [] {
        let position = Int(entry["position"]?.integer ?? 0)
        let object = JSONObject(text: entry["object"]?.text ?? "")
        if name == "insertions" { list.insert(object, at: position) } else { list[position] = object }
      }
    }
    return list
  }
}
