/// Every way in which an instruction from outside can fail to fit schema and state.
///
/// Honest peers never meet one: what conflicts is discarded by the merge. A peer that does has a fault, a damaged file or
/// bad intentions.
/// - SeeAlso: ``BadChangesetError/refusal``, `Docs/ChangesetFormat.md`
public enum ChangesetRefusal: String, Hashable, Sendable, CaseIterable {
  // Declarations
  case unknownClass
  case unknownField
  case invalidClassName
  case invalidFieldName
  case invalidClassKey
  case invalidFieldType
  case classDeclaredDifferently
  case fieldDeclaredDifferently
  case classLinkedTo
  case keyErased
  case embeddedSet
  case limitExceeded
  case workExceeded
  // Objects
  case classWithoutKeys
  case keyOfOtherType
  case unknownObject
  case keyWritten
  // Paths
  case pathOutOfList
  case pathToMissingKey
  case pathThroughNull
  case pathMismatch
  case notMixed
  // Values
  case notNullable
  case otherType
  case otherLinkTarget
  case embeddedObjectLinked
  case misplacedEmbeddedObject
  case misplacedErasure
  case misplacedCollection
  case wholeCollectionWritten
  case notAField
  case notAnInteger
  // Collections
  case notAList
  case notASet
  case otherCollection
  case indexMissing
  case nameMissing
  case otherSize
  case indexOutOfRange
  case destinationOutOfRange
  case idleMove

  /// The fault in words.
  public var reason: String {
    switch self {
    case .unknownClass: "no such class"
    case .unknownField: "no such field"
    case .invalidClassName: "the name of a class has 1 to 57 bytes"
    case .invalidFieldName: "the name of a field has 1 to 63 bytes and does not begin with an exclamation mark"
    case .invalidClassKey: "the key does not go with the kind of class"
    case .invalidFieldType: "no field has that type"
    case .classDeclaredDifferently: "the class is declared differently"
    case .fieldDeclaredDifferently: "the field is declared differently"
    case .classLinkedTo: "the class is linked to"
    case .keyErased: "the key of a class cannot be erased"
    case .embeddedSet: "a set holds no embedded objects"
    case .limitExceeded: "the file cannot hold that much"
    case .workExceeded: "it takes more work than its bytes allow"
    case .classWithoutKeys: "objects of the class have no key of their own"
    case .keyOfOtherType: "objects of the class have keys of another type"
    case .unknownObject: "no such object"
    case .keyWritten: "the key of an object never changes"
    case .pathOutOfList: "the path leads out of a list"
    case .pathToMissingKey: "the path leads to a missing key"
    case .pathThroughNull: "the path runs through a null"
    case .pathMismatch: "the path does not fit the value"
    case .notMixed: "the path runs through a value that is not mixed"
    case .notNullable: "the field is never null"
    case .otherType: "the type of the value does not match"
    case .otherLinkTarget: "the link leads to another class"
    case .embeddedObjectLinked: "an embedded object is created, not linked to"
    case .misplacedEmbeddedObject: "the place takes no embedded object"
    case .misplacedErasure: "only entries of dictionaries are erased"
    case .misplacedCollection: "the place takes no such collection"
    case .wholeCollectionWritten: "a collection is not written as a whole"
    case .notAField: "only a field can be added to"
    case .notAnInteger: "only an integer can be added to"
    case .notAList: "the value is no list"
    case .notASet: "the place is no set"
    case .otherCollection: "the collection is of another kind"
    case .indexMissing: "an element of a list has an index"
    case .nameMissing: "an entry or a field of an embedded object has a name"
    case .otherSize: "the list has another size"
    case .indexOutOfRange: "the index is out of range"
    case .destinationOutOfRange: "the destination is out of range"
    case .idleMove: "the move leads nowhere"
    }
  }
}
