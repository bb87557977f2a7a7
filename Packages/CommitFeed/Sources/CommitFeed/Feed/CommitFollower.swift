public import ChangesetOT
import DataModel
public import RecordStore
public import SubscriptionMatching

/// Follows a realm in memory, without a cursor: which objects changed since it looked last, with their own values before and
/// after.
///
///     var follower = try CommitFollower(history)
///     if case .changes(let changes) = try follower.advance(history) { try matcher.match(changes) }
///
/// It costs the realm's file nothing, and is lost with the process: for consumers that begin with the present state anyway.
/// Holds the snapshot that it saw last, and with it the file: an owner that closes files drops it before. A value of one owner.
public struct CommitFollower {
  /// The changes since the last look.
  public enum Step: Sendable {
    /// There is nothing new.
    case nothing
    /// These objects changed, each once, in no order.
    case changes([ObjectChange])
    /// Anything may have changed: the schema did, or there was too much.
    case everything
  }

  /// The most bytes of changesets that are looked at in one step.
  private static let byteLimit = 8 << 20

  /// The version that was seen last.
  public private(set) var position: SaltedServerVersion
  /// The realm at that version.
  public private(set) var contents: RealmContents

  /// A follower from the present version on.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public init(_ history: ServerHistory) throws { (position, contents) = try history.feedPresent() }

  /// Goes on to the present version.
  ///
  /// - Parameter history: that of the realm which was followed before.
  /// - Throws: `RecordStoreError` when the file cannot be read; the follower stays where it was.
  /// - Complexity: O(*n*) in the bytes of the changesets and the fields of the objects that they touched.
  public mutating func advance(_ history: ServerHistory) throws -> Step {
    let present = try history.feedPresent()
    guard present.position.version > position.version else {
      if present.position == position { return .nothing }
      (position, contents) = present
      return .everything
    }
    let before = contents
    let touched = try history.touchedObjects(
      after: position.version, through: present.position.version, byteLimit: Self.byteLimit)
    (position, contents) = present
    guard let touched, before.schemaRevision == contents.schemaRevision else { return .everything }
    var changes: [ObjectChange] = []
    let classes = Dictionary(
      contents.schema.objectSchema.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
    for (object, touch) in touched {
      guard let schema = classes[object.className], schema.kind == .topLevel else { continue }
      let old = try before.ownValues(of: object)
      let new = try contents.ownValues(of: object)
      guard old != nil || new != nil else { continue }
      let positions = schema.properties.indices.filter { index in
        touch.isErased || touch.fields.contains(schema.properties[index].columnName) || old?[index] != new?[index]
      }
      changes.append(
        ObjectChange(
          className: object.className, key: object.key, before: old, after: new, changedProperties: positions))
    }
    return .changes(changes)
  }
}
