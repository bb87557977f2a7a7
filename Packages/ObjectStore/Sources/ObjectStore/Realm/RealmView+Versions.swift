extension RealmView {
  /// Stops the program when more versions than allowed are kept for readers.
  func checkVersions(_ limit: UInt) throws {
    let count = try file.activeVersionCount()
    rule(count <= limit, "Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
  }
}
