/// Why an instruction does not fit the state.
struct Refusal: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
