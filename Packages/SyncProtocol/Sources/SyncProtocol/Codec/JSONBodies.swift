import ByteCoding
import ChangesetOT

extension LogMessage {
  /// The JSON body; keys in alphabetical order.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = []
    if let correlation { members.append(("co_id", .string(correlation))) }
    if let level { members.append(("level", .string(level.rawValue))) }
    if let message { members.append(("msg", .string(message))) }
    return .object(members)
  }

  /// Reads the JSON body; nil when a value has the wrong type, the level is unknown, or the correlation is empty.
  init?(session: SessionIdent, json: JSONValue) {
    guard case .object = json else { return nil }
    self.init(session: session, level: nil)
    if let value = json["co_id"] {
      guard let text = value.string, !text.isEmpty else { return nil }
      correlation = text
    }
    if let value = json["level"] {
      guard let level = value.string.flatMap(Level.init(rawValue:)) else { return nil }
      self.level = level
    }
    if let value = json["msg"] {
      guard let text = value.string else { return nil }
      message = text
    }
  }
}

extension ErrorDetails {
  /// The JSON body; keys in alphabetical order.
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("action", .string(action.text)), ("isRecoveryModeDisabled", .bool(isRecoveryModeDisabled)),
      ("logURL", .string(logURL)), ("message", .string(message)), ("shouldClientReset", .bool(shouldClientReset)),
      ("tryAgain", .bool(tryAgain)),
    ]
    func add(_ key: String, _ number: UInt64) { members.append((key, .number(String(number)))) }
    if let backoff {
      add("backoffIntervalSec", backoff.interval)
      add("backoffMaxDelaySec", backoff.maximum)
      add("backoffMultiplier", backoff.multiplier)
    }
    if let partitionQuery { members.append(("partitionQuery", .string(partitionQuery))) }
    if let previousSchemaVersion { add("previousSchemaVersion", previousSchemaVersion) }
    if let integratedClientVersion { add("integratedClientVersion", integratedClientVersion.rawValue) }
    if let compensation { members += compensation.members }
    if !untold.isEmpty { members.append(("untoldCompensatingWrites", .array(untold.map { .object($0.members) }))) }
    return .object(members.sorted { $0.key < $1.key })
  }

  /// Reads the JSON body of an error with `code`; nil when one of the six required keys, or a key required by the code or by
  /// another key, is absent or has the wrong type.
  init?(code: ProtocolErrorCode, json: JSONValue) {
    guard let tryAgain = json["tryAgain"]?.bool, let message = json["message"]?.string,
      let logURL = json["logURL"]?.string, let shouldReset = json["shouldClientReset"]?.bool,
      let recoveryDisabled = json["isRecoveryModeDisabled"]?.bool, let action = json["action"]?.string
    else { return nil }
    self.init(
      message: message, action: ErrorAction(text: action), tryAgain: tryAgain, logURL: logURL,
      shouldClientReset: shouldReset, isRecoveryModeDisabled: recoveryDisabled)
    if let interval = json["backoffIntervalSec"] {
      guard let interval = interval.unsignedInteger, let maximum = json["backoffMaxDelaySec"]?.unsignedInteger,
        let multiplier = json["backoffMultiplier"]?.unsignedInteger
      else { return nil }
      backoff = BackoffAdvice(interval: interval, maximum: maximum, multiplier: multiplier)
    }
    integratedClientVersion = json["integratedClientVersion"]?.unsignedInteger.map { ClientVersion($0) }
    if code == .migratedToFlexible {
      guard let query = json["partitionQuery"]?.string, !query.isEmpty else { return nil }
      partitionQuery = query
    }
    if code == .schemaVersionChanged {
      guard let version = json["previousSchemaVersion"]?.unsignedInteger else { return nil }
      previousSchemaVersion = version
    }
    for write in json["untoldCompensatingWrites"]?.elements ?? [] {
      guard let write = CompensatingWrite(json: write) else { return nil }
      untold.append(write)
    }
    if json["rejectedUpdates"] != nil {
      guard let write = CompensatingWrite(json: json) else { return nil }
      compensation = write
    } else if code == .compensatingWrite {
      return nil
    }
  }
}

extension CompensatingWrite {
  /// The keys in a JSON body, in alphabetical order.
  fileprivate var members: [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    if let version = serverVersion {
      members.append(("compensatingWriteServerVersion", .number(String(version.rawValue))))
    }
    members.append(("rejectedClientVersion", .number(String(rejectedClientVersion.rawValue))))
    let rejections = rejections.map { rejection in
      JSONValue.object([
        ("pk", .string(rejection.primaryKey)), ("reason", .string(rejection.reason)),
        ("table", .string(rejection.className)),
      ])
    }
    members.append(("rejectedUpdates", .array(rejections)))
    return members
  }

  /// Reads the keys; nil when one is absent or has the wrong type.
  fileprivate init?(json: JSONValue) {
    guard let updates = json["rejectedUpdates"]?.elements,
      let rejected = json["rejectedClientVersion"]?.unsignedInteger
    else { return nil }
    var rejections: [Rejection] = []
    for update in updates {
      guard let reason = update["reason"]?.string, let table = update["table"]?.string, let key = update["pk"]?.string
      else { return nil }
      rejections.append(.init(reason: reason, className: table, primaryKey: key))
    }
    let version = json["compensatingWriteServerVersion"]?.unsignedInteger
    self.init(
      serverVersion: version.map { ServerVersion($0) }, rejectedClientVersion: ClientVersion(rejected),
      rejections: rejections)
  }
}
