/// The state of one log, with its name.
struct NamedLog: Sendable {
  let name: String
  var state: LogState
}

extension [NamedLog] {
  /// The state of the log of a name, by linear search: few are known, and mostly the wanted one.
  subscript(name: String) -> LogState? {
    get { first { $0.name == name }?.state }
    set {
      guard let newValue else { return removeAll { $0.name == name } }
      if let place = firstIndex(where: { $0.name == name }) {
        self[place].state = newValue
      } else {
        append(NamedLog(name: name, state: newValue))
      }
    }
  }
}
