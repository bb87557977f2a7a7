public import ByteCoding
import ChangesetOT
public import CommitFeed
import Foundation

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

extension FeedCommit {
  /// The commit as JSON with its changeset in base64: a line of the stream for programs that keep a copy of the realm.
  ///
  ///     {"position":"12-77","author":3,"time":1700000000000,"changeset":"…"}
  ///
  /// - Complexity: O(*n*) in its bytes.
  public var json: JSONValue {
    .object([
      ("position", .string(AdapterPosition.text(position))), ("author", .number(String(author.rawValue))),
      ("time", .number(String(timestamp.unixMilliseconds))),
      ("changeset", .string(Data(changeset).base64EncodedString())),
    ])
  }
}
