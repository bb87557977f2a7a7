extension AdminOperation {
  /// Every operation, in the order of the documentation.
  static let all: [AdminOperation] =
    [openAPI] + server + users + logins + keys + permissions + offers + realms + objects + schemas + history
    + subscriptions + roles
    + sessions + logs + files + exchange + tasks + audit + webhooks + consumers + adapters

  static let limit = Parameter.query("limit", .integer(1...1_000), "The most rows of the answer; 100 unless given.")
}
