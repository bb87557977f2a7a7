import ChangesetOT
import DataModel
public import Permissions
import StorageEngine

extension ServerHistory {
  /// Devices of one user that are looked at, those that connected last.
  private static let mostDevices = 16

  /// Explains why a user's devices hold an object, or do not: the permissions, the subscriptions, the links, and what the
  /// devices have not downloaded yet.
  ///
  ///     let question = ViewQuestion(className: "Message", key: "1", access: ViewAccess(user: "bob"))
  ///     print(try history.explain(question).sentence)       // Message[1] is on 1 of 1 device of user 'bob'
  ///
  /// Devices are the client files that hold views; of those that sync the whole realm the server does not know the user.
  ///
  /// - Throws: ``ViewQuestionError`` for a key that is none of its class; ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the client files, in the objects that lead to the object, and in the objects of queries with
  ///   LIMIT or DISTINCT, for each of up to 16 devices.
  public func explain(_ question: ViewQuestion) throws -> SyncExplanation {
    try translatingErrors { try SyncExplanation(facts(for: question)) }
  }

  private func facts(for question: ViewQuestion) throws -> ExplainedFacts {
    let snapshot = try file.store.latestSnapshot()
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let readView = ReadView(snapshot, try file.catalog(of: snapshot))
    let source = ReadViewQuerySource(readView)
    let layout = readView.catalog[question.className]
    let key = try ObjectKey(
      text: question.key, type: layout?.key?.type ?? .string, className: question.className)
    let object = ObjectReference(className: question.className, key: key)
    var facts = ExplainedFacts(
      object: object, user: question.access.user, isOwn: question.isOwn, presence: .noClass, current: state.current)
    guard let layout else { return facts }
    guard layout.kind == .topLevel else {
      facts.presence = .notTopLevel(layout.kind)
      return facts
    }
    let row = try source.row(of: object)
    facts.presence = row == nil ? .absent : .present
    var permissions = try permissionState(state, in: readView)
    if permissions?.isInForce == true, let table = permissions?.table,
      let user = permissions?.permissions(of: question.access)
    {
      let hasLists = !layout.accessLists.isEmpty
      let list = try row == nil ? .missing : PermissionReader(readView).list(of: object)
      facts.decisions = ExplainedFacts.Decisions(
        read: user.decide(.read(ObjectFacts(layout.name, list: list)), in: table),
        subscribe: user.decide(.subscribe(toClass: layout.name), in: table), hasLists: hasLists)
    }
    guard let row else { return facts }
    facts.device = question.device
    let devices = try devices(of: question.access.user, question.device, in: snapshot)
    facts.furtherDevices = max(0, devices.count - Self.mostDevices)
    let latest = devices.prefix(Self.mostDevices)
    for device in latest {
      var roles: ViewPermissions?
      if let access = device.stage.scope.access, let permissions, permissions.isInForce {
        roles = ViewPermissions(UserPermissions(permissions.table, access), of: permissions.table)
      }
      facts.devices.append(try explained(device, row, layout, roles, source))
    }
    try lookForChanges(&facts, state, in: snapshot)
    return facts
  }

  /// The part that one device has in the object of a row.
  private func explained(
    _ device: Device, _ row: ClassRow, _ layout: ClassLayout, _ roles: ViewPermissions?, _ source: ReadViewQuerySource
  ) throws -> ExplainedDevice {
    var found = ExplainedDevice(
      ident: device.ident, acknowledged: device.client.upload.server, since: device.stage.version)
    found.isExpired = device.client.isExpired
    found.followsLinks = device.stage.scope.access?.followsLinks ?? false
    do {
      let queries = try RealmQueries(
        device.stage.set, source.readView, permissions: roles, followsLinks: found.followsLinks)
      found.subscribedClasses = queries.selections.values.count { !$0.isImplied }
      found.forbidden = queries.forbidden[layout.name] ?? queries.unfit[layout.name]
      let search = HoldingSearch(queries, source)
      found.queries = try search.outcomes(for: row, layout)
      found.way = try search.way(to: row)
    } catch let refusal as QueryRefusal {
      found.refusal = refusal.message
    }
    return found
  }

  // MARK: Devices

  private struct Device {
    var ident: FileIdent
    var stage: ViewStages.Stage
    var client: ClientFileRecord
  }

  /// The client files that hold a view for a user, those that connected last first.
  private func devices(of user: String, _ wanted: FileIdent?, in snapshot: Snapshot) throws -> [Device] {
    var devices: [Device] = []
    let idents = try wanted.map { [$0] } ?? ClientFileTable.idents(in: snapshot).map { FileIdent($0) }
    for ident in idents {
      guard let stage = try ViewStages(of: ident, in: file.store).current, stage.scope.access?.user == user,
        let client = try ClientFileTable.file(ident, in: snapshot)
      else { continue }
      devices.append(Device(ident: ident, stage: stage, client: client))
    }
    return devices.sorted { ($1.client.lastSeen, $0.ident.rawValue) < ($0.client.lastSeen, $1.ident.rawValue) }
  }
}
