public import DataModel

/// One step of a transaction on a realm, as an adapter follows it and writes it.
///
///     for instruction in transaction.instructions {
///       switch instruction {
///       case .insert(let object, let values): …
///       case .set(let object, let values): …
///       case .delete(let object): …
///       default: break                        // what is new is passed over
///       }
///     }
///
/// Objects are named by class and identity, which is the primary key where the class has one. Values of `insert` and `set` are those
/// of whole fields; a change inside a field has an instruction of its own.
public enum AdapterInstruction: Hashable, Sendable {
  /// A new object with the values of its fields; fields that are not named have their initial values.
  case insert(ObjectReference, values: [String: AdapterValue])
  /// New values of fields of an object.
  case set(ObjectReference, values: [String: AdapterValue])
  /// The end of an object.
  case delete(ObjectReference)
  /// The end of all objects of a class. A realm tells it object by object; an adapter may write it.
  case clear(className: String)
  /// An integer field grows by an amount, which may be negative.
  case increment(AdapterPlace, amount: Int64)
  /// An element of a list is replaced.
  case listSet(AdapterPlace, index: Int, AdapterValue)
  /// An element of a list is inserted.
  case listInsert(AdapterPlace, index: Int, AdapterValue)
  /// An element of a list moves to another index.
  case listMove(AdapterPlace, from: Int, to: Int)
  /// An element of a list is removed; an object that it links to stays.
  case listErase(AdapterPlace, index: Int)
  /// A list is emptied.
  case listClear(AdapterPlace)
  /// A member is added to a set.
  case setInsert(AdapterPlace, AdapterValue)
  /// A member is removed from a set.
  case setErase(AdapterPlace, AdapterValue)
  /// A set is emptied.
  case setClear(AdapterPlace)
  /// A key of a dictionary gets a value.
  case dictionarySet(AdapterPlace, key: String, AdapterValue)
  /// A key of a dictionary is removed.
  case dictionaryErase(AdapterPlace, key: String)
  /// A dictionary is emptied.
  case dictionaryClear(AdapterPlace)
  /// A field of an embedded object gets a value; the last step of the place names it.
  case nestedSet(AdapterPlace, AdapterValue)
  /// A new class with its properties.
  case addType(ObjectSchema)
  /// New properties of a class.
  case addProperties(className: String, [Property])
  /// The end of a class with its objects.
  case eraseType(className: String)
  /// The end of a property.
  case eraseProperty(className: String, property: String)
}

/// A collection or a value in an object: a field, and the way from it to what lies inside.
public struct AdapterPlace: Hashable, Sendable {
  /// A step of the way.
  public enum Step: Hashable, Sendable {
    /// An element of a list.
    case index(Int)
    /// A field of an embedded object, or a key of a dictionary.
    case name(String)
  }

  /// The object.
  public var object: ObjectReference
  /// The field of the object.
  public var property: String
  /// The way inside the field; empty for the field itself.
  public var path: [Step]

  /// A place.
  public init(_ object: ObjectReference, _ property: String, path: [Step] = []) {
    self.object = object
    self.property = property
    self.path = path
  }
}

/// A value in an instruction.
public enum AdapterValue: Hashable, Sendable {
  /// A scalar or a link.
  case value(Value)
  /// A new embedded object without values, which further instructions give it.
  case embedded
  /// A new list, set or dictionary in a mixed value, to which further instructions add.
  case emptyCollection(CollectionKind)
}
