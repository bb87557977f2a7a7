public import DataModel

/// One object that a commit inserted, changed or deleted, with its own values before and after.
///
/// An object occurs at most once in a commit; one that was deleted and made anew is an update of all its properties. Values are those that a reader of the two versions sees: an object whose
/// link reads as null because its target is gone has changed, too.
public struct ObjectChange: Sendable {
  /// The class of the object.
  public var className: String
  /// The key of the object.
  public var key: ObjectKey
  /// The values before the commit, one per property in the order of `ObjectSchema.properties`, each null or of exactly
  /// the type of its property; nil when the object did not exist. Collections and links may stand as null, since no
  /// condition that is evaluated here reads them.
  public var before: [Value]?
  /// The values after the commit, in the same form; nil when the object no longer exists.
  public var after: [Value]?
  /// The positions of the properties that an update wrote, collections and links among them. Not asked of insertions
  /// and deletions.
  public var changedProperties: [Int]

  /// A change.
  ///
  /// - Precondition: for an update, each property whose value differs is named in `changedProperties`; a commit whose
  ///   changes break this rule is matched as if the property had kept its value.
  public init(
    className: String, key: ObjectKey, before: [Value]?, after: [Value]?, changedProperties: [Int] = []
  ) {
    self.className = className
    self.key = key
    self.before = before
    self.after = after
    self.changedProperties = changedProperties
  }

  /// Whether the object exists before and after the commit.
  var isUpdate: Bool { before != nil && after != nil }
}
