public import ChangesetOT
public import DataModel

/// A write that was not taken: its object lies outside of the queries of the upload, or the author's roles or access token do not
/// allow it. It is undone in the author's file; the other writes of its changeset were taken.
public struct RefusedWrite: Hashable, Sendable {
  /// The object.
  public var object: ObjectReference
  /// The client version of the first changeset that wrote it.
  public var clientVersion: ClientVersion
  /// The reason, for people.
  public var reason: String

  /// A refusal. One is kept for each object, and what peers choose may stand in the reason: of a long one the beginning counts.
  public init(object: ObjectReference, clientVersion: ClientVersion, reason: String) {
    self.object = object
    self.clientVersion = clientVersion
    self.reason = Self.shortened(reason)
  }

  /// The first 1,024 characters of a text.
  private static func shortened(_ text: String) -> String {
    let characters = text.unicodeScalars
    guard let end = characters.index(text.startIndex, offsetBy: 1_024, limitedBy: text.endIndex), end < text.endIndex
    else { return text }
    return String(characters[..<end]) + "…"
  }
}
