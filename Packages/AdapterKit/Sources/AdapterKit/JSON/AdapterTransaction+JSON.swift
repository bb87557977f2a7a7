public import ByteCoding
import ChangesetOT

extension AdapterTransaction {
  /// The transaction as JSON: one line of the stream over HTTP.
  ///
  ///     {"position":"12-77","author":3,"time":1700000000000,"instructions":[…]}
  ///
  /// - Complexity: O(*n*) in its steps.
  public var json: JSONValue {
    .object([
      ("position", .string(AdapterPosition.text(position))), ("author", .number(String(author.rawValue))),
      ("time", .number(String(timestamp.unixMilliseconds))), ("instructions", .array(instructions.map(\.json))),
    ])
  }
}
