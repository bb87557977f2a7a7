/// The requests that the HTTP API answers. ``patterns`` says how each is recognised, ``access`` what each asks of its
/// caller, `HTTPAPI.serve` how each is answered: three exhaustive switches, so a forgotten route does not compile.
enum Route: CaseIterable, Hashable, Sendable {
  case health
  case ready
  case metrics
  case preflight
  case location
  case callFunction
  case registerForPush
  case register
  /// The routes for accounts that are confirmed by mail: `confirm`, `confirm/send`, …
  case mail
  case logIn
  case legacyLogin
  case legacyRevoke
  case refresh
  case logOut
  case apiKeys
  case createAPIKey
  case apiKey
  case deleteAPIKey
  case enableAPIKey
  case disableAPIKey
  /// Attaches another identity to the user who is logged in.
  case link
  case profile
  case deleteUser
  case changePassword
  case realms
  /// Those who have access to a realm, and who is connected to it.
  case realmUsers
  case deleteRealm
  case renameRealm
  /// The reason why an object is on a user's devices, or is not.
  case explain
  case account
  case legacyAccount
  /// The grants to the bearer.
  case permissions
  /// The grants that the bearer gave: those on the realms in their folder.
  case givenPermissions
  /// The grants on a realm.
  case realmPermissions
  /// The rule that decides about a user and a realm.
  case explainPermission
  case applyPermission
  case offers
  case createOffer
  case deleteOffer
  case acceptOffer
  /// The schema of a realm's GraphQL.
  case graphQLSchema
  case graphQLExplorer
  case clearGraphQLSchema
  /// A query, or by POST a mutation.
  case graphQL
}
