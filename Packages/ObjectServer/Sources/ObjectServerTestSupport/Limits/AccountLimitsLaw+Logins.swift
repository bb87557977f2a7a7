import ObjectServer
import TelemetryTestSupport

extension AccountLimitsLaw {
  /// Six guesses at one name from one network are free; then the wait doubles from a second up to a minute.
  static func guessesFromANetworkWait(_ nodes: AlternatingLimits, _ clock: ManualClock) throws {
    let event = AccountEvent.login(name: "ann", network: "n")
    for number in 1...6 { try expect(try nodes.admits(event), "guess \(number) is free") }
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      for _ in 0..<2 {
        let wait = try nodes.wait(event)
        try expect(isClose(wait, .seconds(seconds)), "each node tells a wait of \(seconds) s, not \(wait)")
      }
      clock.advance(by: .milliseconds(seconds * 1_000 + 1))
      try expect(try nodes.admits(event), "after \(seconds) s there is a next guess")
    }
    try expect(try nodes.admits(.login(name: "ben", network: "n")), "another name has a count of its own")
  }

  /// From however many networks, a name is guessed at 31 times within an hour, and is never locked for good.
  static func aNameIsGuessedAtSlowly(_ nodes: AlternatingLimits, _ clock: ManualClock) throws {
    var guesses = 0
    var network = 0
    for _ in 0..<360 {
      for _ in 0..<4 {
        network += 1
        guard try nodes.admits(.login(name: "ann", network: "n\(network)")) else { break }
        guesses += 1
      }
      clock.advance(by: .seconds(10))
    }
    try expect((20...31).contains(guesses), "there are 20 to 31 guesses within an hour, not \(guesses)")
    clock.advance(by: .seconds(300))
    try expect(try nodes.admits(.login(name: "ann", network: "m")), "there is a next guess within five minutes")
  }

  /// Refused attempts make nobody wait longer.
  static func refusalsDoNotCount(_ nodes: AlternatingLimits, _ clock: ManualClock) throws {
    let event = AccountEvent.login(name: "ann", network: "n")
    for _ in 1...6 { _ = try nodes.admits(event) }
    for _ in 1...20 { try expect(try !nodes.admits(event), "the seventh is refused") }
    clock.advance(by: .milliseconds(1_001))
    try expect(try nodes.admits(event), "it is admitted after a second, however often it was refused")
  }

  /// A right password makes the failures from its network forgotten, and not those from elsewhere.
  static func aSuccessForgetsItsNetwork(_ nodes: AlternatingLimits) throws {
    let home = AccountEvent.login(name: "ann", network: "home")
    for _ in 1...5 { try expect(try nodes.admits(home), "five failures are free") }
    try nodes.logIn(home)
    for number in 1...6 { try expect(try nodes.admits(home), "failure \(number) after a success is free") }
    try expect(try !nodes.admits(home), "the seventh is refused again")
    // Five failures of the name are left, of which ten are free.
    for number in 1...5 {
      try expect(try nodes.admits(.login(name: "ann", network: "n\(number)")), "what is left for others is admitted")
    }
    try expect(try !nodes.admits(.login(name: "ann", network: "m")), "failures from elsewhere stay counted")
  }

  /// Where the owner logged in before, guesses from elsewhere keep nobody waiting.
  static func theOwnersNetworkIsFree(_ nodes: AlternatingLimits) throws {
    let home = AccountEvent.login(name: "ann", network: "home")
    try nodes.logIn(home)
    for number in 0..<20 { _ = try nodes.admits(.login(name: "ann", network: "n\(number)")) }
    try expect(try !nodes.admits(.login(name: "ann", network: "m")), "the name is guessed at too often")
    for _ in 0..<3 { try nodes.logIn(home) }
    // So many names are tried from there that it could try no more.
    for number in 0..<120 { _ = try nodes.admits(.login(name: "name \(number)", network: "home")) }
    try expect(try !nodes.admits(.login(name: "ben", network: "home")), "the network guesses too much")
    try nodes.logIn(home)
  }

  /// An event that turns out to be none leaves no trace.
  static func whatIsWithdrawnIsNotCounted(_ nodes: AlternatingLimits) throws {
    let login = AccountEvent.login(name: "ann", network: "n"), guess = AccountEvent.guessedName(network: "n")
    for _ in 0..<150 {
      try nodes.logIn(login, as: .withdrawn)
      try nodes.logIn(guess, as: .withdrawn)
    }
    for number in 1...6 { try expect(try nodes.admits(login), "failure \(number) is free") }
    for number in 1...94 { try expect(try nodes.admits(guess), "name \(number) is free") }
    try expect(try !nodes.admits(guess), "failures and names of a network are one count")
  }

  /// An address has one message of a kind in a minute, however many are ordered, and none is lost but a repeated one.
  static func mailIsPaced(_ nodes: AlternatingLimits, _ clock: ManualClock) throws {
    let reset = PacedMail(subject: "reset ann", address: "reset ann")
    try expect(try nodes.next.delay(ofMail: reset) == .zero, "the first one is sent at once")
    for _ in 0..<2 { try expect(try nodes.next.delay(ofMail: reset) == nil, "the same is not sent again") }
    for (number, seconds) in [0, 60, 120, 180, 240, 240].enumerated() {
      let mail = PacedMail(subject: "confirm \(number)", address: "confirm ann")
      let delay = try nodes.next.delay(ofMail: mail)
      try expect(delay.map { isClose($0, .seconds(seconds)) } == true, "registration \(number) waits \(seconds) s")
      try expect(try nodes.next.delay(ofMail: mail) == nil, "a registration is told once")
    }
    clock.advance(by: .milliseconds(60_001))
    try expect(try nodes.next.delay(ofMail: reset) == .zero, "after a minute it is sent again")
  }

  /// Databases count in microseconds.
  private static func isClose(_ left: Duration, _ right: Duration) -> Bool {
    left > right - .milliseconds(2) && left <= right + .microseconds(2)
  }
}
