public import ObjectServer
import Telemetry

/// A law that holds for all pending accounts, wherever they are.
public enum PendingAccountsLaw: String, CaseIterable, Sendable {
  case whatIsPutIsThere, registrationsOfANameWaitSideBySide, theNewestFewWait, theyExpire, nothingElseIsARegistration

  private static let lifetime = Duration.seconds(3_600)
  private static func account(_ name: String, at milliseconds: Int64) -> PendingAccount {
    PendingAccount(name: name, passwordHash: "hash of \(name) at \(milliseconds)", createdAt: milliseconds)
  }
  private static func time(_ milliseconds: Int64) -> WallTime { WallTime(millisecondsSince1970: milliseconds) }
  private static func ident(_ number: Int) -> String { String(number + 0x1000, radix: 16) }

  /// Tries the law.
  ///
  /// - Parameters:
  ///   - one: accounts of which none waits.
  ///   - other: the same accounts, as another node has them.
  /// - Throws: ``BrokenLaw``; the error of the accounts.
  public func check(_ one: any PendingAccounts, _ other: any PendingAccounts) throws {
    switch self {
    case .whatIsPutIsThere: try Self.whatIsPutIsThere(one, other)
    case .registrationsOfANameWaitSideBySide: try Self.registrationsOfANameWaitSideBySide(one, other)
    case .theNewestFewWait: try Self.theNewestFewWait(one, other)
    case .theyExpire: try Self.theyExpire(one, other)
    case .nothingElseIsARegistration: try Self.nothingElseIsARegistration(one, other)
    }
  }

  private static func whatIsPutIsThere(_ one: any PendingAccounts, _ other: any PendingAccounts) throws {
    try expect(try one.hasRoom(), "there is room at first")
    let account = account("ann+'%_@example.org", at: 1_000)
    let registration = try one.put(account, ident: ident(1), lifetime: lifetime)
    try expect(PendingAccountRules.isRegistration(registration), "a registration is one by its form")
    for accounts in [one, other] {
      let found = try accounts.account(registration, at: time(1_001), lifetime: lifetime)
      try expect(found == account, "the account is what was put")
    }
    try other.remove(registration)
    try expect(try one.account(registration, at: time(1_001), lifetime: lifetime) == nil, "what is removed is gone")
    try other.remove(registration)
  }

  private static func registrationsOfANameWaitSideBySide(
    _ one: any PendingAccounts, _ other: any PendingAccounts
  ) throws {
    let accounts = [one, other]
    // In an order that is not that of their idents.
    let made = try [3, 1, 2].enumerated().map { number, ident in
      try accounts[number % 2].put(
        account("ann@example.org", at: Int64(1_000 + number)), ident: self.ident(ident), lifetime: lifetime)
    }
    let foreign = try one.put(account("ben@example.org", at: 1_000), ident: ident(9), lifetime: lifetime)
    for accounts in accounts {
      let found = try accounts.registrations(of: "ann@example.org", at: time(2_000), lifetime: lifetime)
      try expect(found == made, "those of a name are there, the oldest first")
      let others = try accounts.registrations(of: "ben@example.org", at: time(2_000), lifetime: lifetime)
      try expect(others == [foreign], "those of another name are others")
      let none = try accounts.registrations(of: "ann@example.or", at: time(2_000), lifetime: lifetime)
      try expect(none.isEmpty, "a name that nobody registered has none")
    }
  }

  private static func theNewestFewWait(_ one: any PendingAccounts, _ other: any PendingAccounts) throws {
    let accounts = [one, other]
    let most = PendingAccountRules.maximumOfName
    let made = try (0..<most + 3).map { number in
      try accounts[number % 2].put(
        account("ann@example.org", at: Int64(1_000 + number)), ident: ident(number), lifetime: lifetime)
    }
    let found = try other.registrations(of: "ann@example.org", at: time(2_000), lifetime: lifetime)
    try expect(found == Array(made.suffix(most)), "of too many, the oldest ended")
    for old in made.dropLast(most) {
      try expect(try one.account(old, at: time(2_000), lifetime: lifetime) == nil, "what ended is gone")
    }
  }

  private static func theyExpire(_ one: any PendingAccounts, _ other: any PendingAccounts) throws {
    let old = try one.put(account("ann@example.org", at: 1_000), ident: ident(1), lifetime: lifetime)
    let new = try one.put(account("ann@example.org", at: 2_000), ident: ident(2), lifetime: lifetime)
    let end = time(3_601_000)
    try expect(try other.account(old, at: time(3_600_999), lifetime: lifetime) != nil, "it waits until its end")
    try expect(try other.account(old, at: end, lifetime: lifetime) == nil, "it has expired at its end")
    let left = try other.registrations(of: "ann@example.org", at: end, lifetime: lifetime)
    try expect(left == [new], "what has expired does not wait")
    try other.removeExpired(at: end, lifetime: lifetime)
    // At an earlier time, so that what is not shown may be told from what is not there.
    try expect(try one.account(old, at: time(1_001), lifetime: lifetime) == nil, "what has expired is removed")
    try expect(try one.account(new, at: end, lifetime: lifetime) != nil, "what has not is kept")
  }

  private static func nothingElseIsARegistration(_ one: any PendingAccounts, _ other: any PendingAccounts) throws {
    let registration = try one.put(account("ann@example.org", at: 1_000), ident: ident(1), lifetime: lifetime)
    let texts = [
      "", "-", "%", "../pending", registration + "0", registration.uppercased(), registration + "\0",
      registration + "/",
      String(repeating: "a", count: 100_000), "' OR ''='",
    ]
    for text in texts {
      try expect(try other.account(text, at: time(1_001), lifetime: lifetime) == nil, "\(text.prefix(60)) is none")
    }
  }
}
