/// The base class of models whose objects are only sent: measurements, log entries, clicks.
///
///     class Reading: AsymmetricObject {
///       @Persisted(primaryKey: true) var _id: ObjectId
///       @Persisted var degrees: Double
///     }
///     try realm.write { realm.create(Reading.self, value: ["_id": ObjectId.generate(), "degrees": 21.5]) }
///
/// The server gets and keeps what is created; the device does not, and no device is ever sent any of it. There are no live
/// objects of such a class, and no results. Only realms that are synchronised by queries have such classes: opening any
/// other realm with one throws an error, and so does a property that links to one. Objects of these classes may link to
/// embedded and to ordinary objects.
open class AsymmetricObject: ObjectBase {
  /// An unmanaged object with the defaults of its properties.
  public required init() { super.init() }

  /// An unmanaged object from a dictionary, an array in the order of the properties, or another object.
  public convenience init(value: Any) {
    self.init()
    fill(from: value)
  }
}
