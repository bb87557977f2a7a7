/// Names one row of one class inside one file: the number under which the store keeps the object.
///
/// Row keys are not negative and need not be dense, though the evaluator is quickest when the largest is not many
/// times the number of rows. A row key never leaves the process; the name of an object on every device is its
/// `ObjectKey`.
public typealias QueryRow = Int64

extension Int64 {
  /// The row key that stands for a null link. Every negative number is read like it; links to unresolved objects may
  /// hold one.
  public static var nullRow: QueryRow { -1 }
}
