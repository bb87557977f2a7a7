import Glibc
import StorageEngine

/// Stops the program because a rule of the API was broken, saying which; prints in release builds too.
func violated(_ rule: String) -> Never {
  let line = Array("*** ObjectStore: \(rule)\n".utf8)
  line.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
  preconditionFailure(rule)
}

/// Stops the program unless a rule of the API is kept.
func rule(_ holds: Bool, _ text: @autoclosure () -> String) {
  if !holds { violated(text()) }
}

/// Stops the program unless a position is one of `count`.
func checkPosition(_ position: Int, of count: Int) {
  rule(position >= 0, "Cannot pass a negative value: index \(position) is out of bounds.")
  rule(position < count, "Index \(position) is out of bounds (must be less than \(count)).")
}

/// Runs storage work, throwing what it throws as ``Realm/Error``.
func translatingErrors<R>(_ body: () throws -> R) throws -> R {
  do { return try body() } catch let error as StorageError { throw Realm.Error(error) }
}
