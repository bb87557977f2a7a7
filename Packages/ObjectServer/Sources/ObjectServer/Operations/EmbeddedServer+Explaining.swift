import ChangesetOT
import Foundation
public import Permissions
import RecordStore
import Telemetry

extension EmbeddedServer {
  /// Explains whether an object is on the devices of a user, and why; also while a server runs. Changes nothing.
  ///
  ///     let server = EmbeddedServer(path: "/var/lib/openrealm")
  ///     print(try server.explain(className: "Room", key: "secret", at: "/default", forUser: "bob"))
  ///
  /// - Parameters:
  ///   - className: the class of the object.
  ///   - key: its primary key as text; nil for the primary key null.
  ///   - path: the path of the realm.
  ///   - name: the name that the user logs in with, or the id.
  ///   - device: the number of the client file of one device; nil for all of the user.
  ///   - rules: those of the server.
  /// - Throws: ``ServerError``: ``ServerError/Code/noSuchUser``; ``ServerError/Code/realmFailure`` for a path or a key that
  ///   is none, or a file that cannot be read.
  public func explain(
    className: String, key: String?, at path: String, forUser name: String, device: UInt64? = nil,
    rules: AccessRules = AccessRules()
  ) throws(ServerError) -> SyncExplanation {
    try checkIsAlone("ask a running server of the cluster")
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    guard let user = try directory.user(named: name) else {
      throw ServerError(.noSuchUser, "there is no user '\(name)'", remedy: "'users list' shows the names and ids")
    }
    do {
      let object = RealmQuestion.Object(className: className, key: key, device: device.map { FileIdent($0) })
      let question = try RealmQuestion(
        object, at: try RealmPath(path, for: user.id),
        for: AccessSubject(user: user.id, isAdministrator: user.isAdministrator), by: nil, isAdministrator: true, rules,
        directory)
      return try question.explanationOfPath
        ?? question.completed(try history(of: question.path).explain(question.question))
    } catch let error as ServerError {
      throw error
    } catch {
      throw ServerError(
        .realmFailure, "\(path) cannot be asked about \(className)",
        remedy: "check the path and the key; 'verify' tells whether a file is damaged", cause: error)
    }
  }

  /// Explains which rule decides whether a user may do something with a realm; also while a server runs. Changes nothing.
  ///
  /// - Parameters:
  ///   - path: the path of the realm; `~` is the user.
  ///   - name: the name that the user logs in with, or the id.
  ///   - wanted: the level that is asked about.
  ///   - rules: those of the server.
  /// - Throws: ``ServerError``: ``ServerError/Code/noSuchUser``; ``ServerError/Code/realmFailure`` for a path that is none.
  public func explainAccess(
    at path: String, forUser name: String, wants wanted: AccessLevel, rules: AccessRules = AccessRules()
  ) throws(ServerError) -> AccessExplanation {
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    guard let user = try directory.user(named: name) else {
      throw ServerError(.noSuchUser, "there is no user '\(name)'", remedy: "'users list' shows the names and ids")
    }
    let named: RealmPath
    do throws(RealmPathError) {
      named = try RealmPath(path, for: user.id)
    } catch {
      throw ServerError(.realmFailure, "\(error)", remedy: "write the path as clients do", cause: error)
    }
    let sharing = Sharing(directory: directory, rules: rules, random: random, clock: SystemWallClock())
    return try sharing.explain(
      AccessSubject(user: user.id, isAdministrator: user.isAdministrator), at: named, wants: wanted)
  }

  /// The history in the file of a realm, which is there.
  func history(of path: RealmPath) throws -> ServerHistory {
    let file = layout.realms + "/" + RealmFileName.relativePath(of: path, in: layout.realms)
    guard FileManager.default.fileExists(atPath: file) else {
      throw ServerError(.realmFailure, "the file \(file) of \(path) is missing", remedy: "restore a backup")
    }
    var generator = RandomSource.Generator(source: random)
    let options = RealmFile.Options(recordsChangesets: false)
    return try ServerHistory(RealmFile.open(.file(path: file), options: options), random: &generator)
  }
}
