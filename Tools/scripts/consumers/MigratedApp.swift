// An app for RealmSwift 10 as it is written for Apple's systems, unchanged: the names, labels and forms that apps use.
// check-consumers.sh builds it with the product RealmSwift and runs it against a server, over HTTP and over TLS.
import Foundation
import RealmSwift

class Task: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var summary = ""
  @Persisted var isDone = false
  @Persisted var owner_id: String
}

struct TaskStore {
  let app: App

  func signUp(email: String, password: String) async throws {
    do {
      try await app.emailPasswordAuth.registerUser(email: email, password: password)
    } catch {
      print("registration failed: \(error.localizedDescription)")
      throw error
    }
  }

  func configuration(for user: User) -> Realm.Configuration {
    var configuration = user.flexibleSyncConfiguration(
      clientResetMode: .recoverOrDiscardUnsyncedChanges(beforeReset: { _ in }, afterReset: { _, _ in }),
      initialSubscriptions: { subscriptions in
        guard subscriptions.first(named: "own tasks") == nil else { return }
        subscriptions.append(QuerySubscription<Task>(name: "own tasks") { $0.owner_id == user.id })
      },
      rerunOnOpen: true)
    configuration.objectTypes = [Task.self]
    return configuration
  }

  @MainActor
  func open(_ user: User) async throws -> Realm {
    try await Realm(configuration: configuration(for: user), downloadBeforeOpen: .once)
  }

  @MainActor
  func openTeam(_ user: User, _ team: String) async throws -> Realm {
    var configuration = user.configuration(partitionValue: team)
    configuration.objectTypes = [Task.self]
    return try await Realm(configuration: configuration, downloadBeforeOpen: .always)
  }
}

@MainActor
func run() async throws {
  let configuration = AppConfiguration(
    baseURL: CommandLine.arguments[1], transport: nil, localAppName: "Tasks", localAppVersion: "1.0",
    defaultRequestTimeoutMS: 30000)
  let app = App(id: "tasks-abcde", configuration: configuration)
  app.syncManager.logLevel = .off
  app.syncManager.errorHandler = { error, session in
    if let error = error as? SyncError, error.code == .clientResetError { print("reset", session as Any) }
  }
  let store = TaskStore(app: app)

  // Nobody yet
  if app.currentUser != nil { print("somebody is logged in") }
  do {
    _ = try await app.login(credentials: .emailPassword(email: "ann@example.org", password: "not registered"))
  } catch let error as AppError where error.code == .invalidPassword {
    print("wrong password")
  }

  // Register and log in, with async and with a completion
  try await store.signUp(email: "ann@example.org", password: "correct horse")
  let user = try await app.login(credentials: .emailPassword(email: "ann@example.org", password: "correct horse"))
  switch user.state {
  case .loggedIn: print("logged in as", user.profile.email ?? "?")
  case .loggedOut, .removed: print("not logged in")
  @unknown default: print("another state")
  }
  let again: User = try await withCheckedThrowingContinuation { continuation in
    app.login(credentials: Credentials.emailPassword(email: "ann@example.org", password: "correct horse")) { result in
      switch result {
      case .success(let user): continuation.resume(returning: user)
      case .failure(let error): continuation.resume(throwing: error)
      }
    }
  }
  print(again.id == user.id, app.allUsers.count, user.identities.map(\.providerType))

  // A realm by subscriptions
  let realm = try await store.open(user)
  try realm.write {
    realm.add(Task(value: ["_id": ObjectId.generate(), "summary": "move to Linux", "owner_id": user.id]))
  }
  try await realm.syncSession?.wait(for: .upload)
  print(realm.subscriptions.count, Array(realm.objects(Task.self).where { !$0.isDone }.map(\.summary)))

  // A realm by partition
  let team = try await store.openTeam(user, "team a")
  try team.write { team.add(Task(value: ["_id": ObjectId.generate(), "summary": "together", "owner_id": user.id])) }
  try await team.syncSession?.wait(for: .upload)
  print(user.session(forPartitionValue: "team a") != nil, user.allSessions.count)

  // API keys, functions, custom data
  let key = try await user.apiKeysAuth.createAPIKey(named: "backup")
  print(key.name, key.key != nil, key.disabled)
  do {
    _ = try await user.functions.sum([1, 2])
  } catch let error as AppError {
    print(error.code == .functionNotFound ? "no functions here" : "\(error)")
  }
  let data: Document = user.customData
  print(data.isEmpty)

  // Guests become members
  let guest = try await app.login(credentials: .anonymous)
  try await app.emailPasswordAuth.registerUser(email: "ben@example.org", password: "battery staple")
  let ben = try await guest.linkUser(
    credentials: .emailPassword(email: "ben@example.org", password: "battery staple"))
  print(ben.id == guest.id, app.currentUser?.id == guest.id)
  print(app.switch(to: user).id == user.id, app.currentUser?.id == user.id)
  try await ben.logOut()
  print(ben.isLoggedIn, ben.state == .loggedOut)
  try await user.logOut()
  print("bye")
}

do {
  try await run()
} catch {
  print("failed:", error)
  exit(1)
}
