import Concurrency
import Permissions
import Synchronization
import Telemetry

/// Confirmation of addresses and resets of passwords by mail.
final class MailService: Sendable {
  let settings: MailSettings
  let accounts: Accounts
  private let queue: MailQueue
  let pending: any PendingAccounts
  /// Those in the folder, which a node of a cluster may have from the time when it was alone.
  private let ownPending: PendingAccountFiles
  let tokens: MailTokens
  private let transport: any MailTransport
  private let context: LoopContext
  private let logger: Logger
  private let limits: any AccountLimits
  private let isRunning = Mutex(false)

  init(
    settings: MailSettings, accounts: Accounts, limits: any AccountLimits, folder: String, key: [UInt8],
    transport: any MailTransport, pending: (any PendingAccounts)?, context: LoopContext, logger: Logger
  ) {
    self.settings = settings
    self.accounts = accounts
    self.limits = limits
    queue = MailQueue(folder: folder)
    ownPending = PendingAccountFiles(folder: folder + "/pending")
    self.pending = pending ?? ownPending
    tokens = MailTokens(key: key)
    self.transport = transport
    self.context = context
    self.logger = logger
  }

  // MARK: Orders

  /// Orders a message unless the same was ordered a moment ago. Blocks. Whether there is an account does not show: failures are
  /// logged.
  ///
  /// - Parameter registration: the one that a confirmation is for; nil for a reset.
  /// - Throws: ``ServerError`` when the messages to the address cannot be counted.
  func order(
    _ kind: MailOrder.Kind, app: String, address: String, registration: String? = nil
  ) throws(ServerError) {
    let mail = PacedMail(kind, address, registration: registration)
    guard let delay = try limits.delay(ofMail: mail) else { return }
    let now = accounts.now
    let order = MailOrder(
      ident: accounts.random.hex(digits: 32), kind: kind, app: app, address: address, registration: registration,
      createdAt: now.millisecondsSince1970, nextAttempt: (now + delay).millisecondsSince1970)
    do throws(ServerError) {
      try queue.put(order)
      wake()
    } catch {
      logger.error("a message cannot be queued", ["reason": LogValue("\(error)")])
    }
  }

  /// Orders the message of a reset, if the name has a password here.
  func orderReset(app: String, name: String) throws(ServerError) {
    guard MailMessage.isAddress(name),
      try accounts.directory.identity(provider: AuthProvider.password.rawValue, name: name) != nil
    else { return }
    try order(.reset, app: app, address: name)
  }

  /// Stores an account that waits for its confirmation, and orders the message. Blocks.
  ///
  /// - Throws: ``ServerError`` when it cannot be stored.
  func register(_ account: PendingAccount, app: String) throws(ServerError) {
    let registration = try pending.put(
      account, ident: accounts.random.hex(digits: 32), lifetime: settings.confirmationLifetime)
    try order(.confirmation, app: app, address: account.name, registration: registration)
  }

  /// Orders the messages of all registrations of a name that wait for their confirmation.
  ///
  /// - Throws: ``ServerError`` when they cannot be counted.
  func orderConfirmations(app: String, name: String) throws(ServerError) {
    let lifetime = settings.confirmationLifetime
    for registration in try pending.registrations(of: name, at: accounts.now, lifetime: lifetime) {
      try order(.confirmation, app: app, address: name, registration: registration)
    }
  }

  /// Removes the accounts that waited too long, those in the folder always. Blocks.
  func removeExpired(at now: WallTime) {
    do throws(ServerError) { try pending.removeExpired(at: now, lifetime: settings.confirmationLifetime) } catch {
      logger.warn("expired accounts cannot be removed", ["reason": LogValue("\(error)")])
    }
    ownPending.removeExpired(at: now, lifetime: settings.confirmationLifetime)
  }

  // MARK: Sending

  /// Sends what waits, now and whenever it is due.
  func wake() {
    let isFirst = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
    guard isFirst else { return }
    context.perform(.mail) { [self] () throws(Never) -> Duration? in
      sendDue()
    } then: { [weak self] (result: Result<Duration?, Never>) in
      guard let self else { return }
      isRunning.withLock { $0 = false }
      guard case .success(let delay?) = result else { return }
      context.scheduler.schedule(after: max(delay, .milliseconds(10))) { [weak self] in self?.wake() }
    }
  }

  /// - Returns: the time until the next order is due; nil when none waits.
  private func sendDue() -> Duration? {
    let orders = queue.orders()
    // One at a time: others, which were ordered meanwhile, come before those that are put off.
    guard let order = orders.first else { return nil }
    let now = accounts.now
    guard order.nextAttempt <= now.millisecondsSince1970 else {
      return .milliseconds(min(60_000, order.nextAttempt - now.millisecondsSince1970))
    }
    do {
      if let message = try message(for: order, now) { try transport.send(message) }
      queue.remove(order)
    } catch let error as MailError where error.isPermanent {
      logger.warn(
        "a message was refused for good", ["kind": .string(order.kind.rawValue), "reason": .string(error.message)])
      queue.remove(order)
    } catch {
      logger.warn(
        "a message cannot be sent now", ["kind": .string(order.kind.rawValue), "reason": LogValue("\(error)")])
      if (try? queue.putOff(order, at: now)) == false {
        logger.error("a message was given up", ["kind": .string(order.kind.rawValue)])
      }
    }
    return .zero
  }

  /// The message of an order; nil when its reason is gone.
  private func message(for order: MailOrder, _ now: WallTime) throws(ServerError) -> MailMessage? {
    let (link, lifetime): (String, Duration)
    var remark = ""
    switch order.kind {
    case .reset:
      lifetime = settings.resetLifetime
      guard
        let identity = try accounts.directory.identity(
          provider: AuthProvider.password.rawValue, name: order.address), let state = identity.passwordHash
      else { return nil }
      link = try self.link("reset", order, identity.user.rawValue, state, now + lifetime)
    case .confirmation:
      lifetime = settings.confirmationLifetime
      guard let registration = order.registration,
        let account = try pending.account(registration, at: now, lifetime: lifetime)
      else { return nil }
      link = try self.link("confirm", order, registration, account.passwordHash, now + lifetime)
      let time = WallTime(millisecondsSince1970: account.createdAt)
      remark = " The account was registered at \(time); the page asks for the password that was chosen then."
    }
    let name = settings.serviceName, hours = max(1, Int(lifetime.components.seconds / 3_600))
    let (subject, wish) =
      order.kind == .reset
      ? ("Your password for \(name)", "set a new password for your account at \(name)")
      : ("Your account at \(name)", "confirm your account at \(name)")
    let text = """
      Somebody, probably you, asked to \(wish). To do so, open this address:

      \(link)

      It works once, for \(hours) hour\(hours == 1 ? "" : "s"). If it was not you, do nothing.\(remark)

      """
    return MailMessage(
      sender: settings.sender, senderName: name, recipient: order.address, subject: subject, text: text, date: now,
      ident: order.ident)
  }

  /// A link to a page of ours. Its secret stands behind `#`, which browsers send to no server and write into no log.
  private func link(
    _ page: String, _ order: MailOrder, _ subject: String, _ state: String, _ end: WallTime
  ) throws(ServerError) -> String {
    let (ident, secret) = try tokens.make(.init(kind: order.kind, expiresAt: end, subject: subject), state: state)
    let app =
      order.app.utf8.allSatisfy { byte in
        byte == 45 || byte == 95 || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      } ? order.app : "app"
    return "\(settings.linkBase)/mail/\(page)#app=\(app)&token=\(secret)&tokenId=\(ident)"
  }
}
