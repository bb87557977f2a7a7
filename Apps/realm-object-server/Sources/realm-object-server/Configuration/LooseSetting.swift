import ObjectServer
import Permissions

/// A setting that allows more than the default does, or less protection than its place asks for. Each can be meant.
struct LooseSetting: Hashable, Sendable {
  var name: String
  /// The consequence, as a sentence.
  var consequence: String

  /// All that is loose in a plan, in the order of the settings.
  static func all(in plan: ServePlan) -> [LooseSetting] {
    let (configuration, accounts) = (plan.configuration, plan.configuration.accounts)
    let rows: [(isLoose: Bool, name: String, consequence: String)] = [
      (
        !isLoopback(configuration.address.host) && configuration.http.tls == nil && !configuration.isBehindProxy,
        "host", "other machines reach the server without TLS: passwords and data travel in the clear"
      ),
      (configuration.metricsAccess == .all, "metrics", "everyone who reaches the server may read its metrics"),
      (
        configuration.studioAccess == .all, "studio",
        "everyone who reaches the server may try passwords in Studio"
      ),
      (
        accounts.rules.partitionLevel > .none, "partition-access",
        "every user may \(accounts.rules.partitionLevel) all partitions of stock apps"
      ),
      (
        !plan.foreignKeys.isEmpty && accounts.foreignTokens.issuers.isEmpty, "jwt-issuer",
        "tokens of any issuer count that were signed with a key of jwt-key"
      ),
      (
        configuration.tokenProviders.contains { $0.rules.issuers.isEmpty || $0.rules.audiences.isEmpty }, "jwt",
        "a section without issuer or audience takes tokens that were made for others"
      ),
      (accounts.registration == .all, "registration", "everyone who reaches the server may make users"),
      (
        accounts.anonymous == .all, "anonymous",
        "everyone who reaches the server may log in without a name, as a new user each time"
      ),
      (
        accounts.nicknames != .none, "nickname",
        "whoever may use it logs in as anybody with a nickname, as an administrator as well"
      ),
      (
        accounts.minimumPasswordBytes < AccountPolicy().minimumPasswordBytes, "minimum-password",
        "passwords of \(accounts.minimumPasswordBytes) bytes can be guessed"
      ),
      (
        accounts.accessTokenLifetime > AccountPolicy().accessTokenLifetime, "access-token-minutes",
        "an access token that somebody copies opens realms for longer"
      ),
      (
        configuration.trustedProxies.ranges.contains(where: \.isEveryAddress), "trusted-proxies",
        "every client can say that it is another one, and guess passwords from as many addresses as it likes"
      ),
      (
        plan.settings.flag("mail-plain"), "mail-plain",
        "messages, which hold links to reset passwords, may reach the mail server in the clear"
      ),
    ]
    return rows.filter(\.isLoose).map { LooseSetting(name: $0.name, consequence: $0.consequence) }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
