/// A value that the other side cannot hold, with the reason.
struct Unfit: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
