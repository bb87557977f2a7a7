import Glibc

/// Stops the program because a rule of the API was broken, saying which; prints in release builds too.
package func violated(_ rule: String) -> Never {
  let line = Array("*** ObjectStore: \(rule)\n".utf8)
  line.withUnsafeBytes { _ = write(2, $0.baseAddress, $0.count) }
  preconditionFailure(rule)
}
