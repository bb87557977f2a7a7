import ChangesetOT
import ChangesetOTTestSupport
import CommitFeed
import DataModel
import SubscriptionMatching

@testable import RecordStore

/// A consumer that applies every commit to a file and to plain values of its own, and holds the reported changes to these.
struct FeedReplica {
  let file: RealmFile
  /// The newest version that was applied.
  private(set) var applied = ServerVersion.zero
  private(set) var appliedCommits = 0
  private(set) var toldCommits = 0
  private var model = ModelState()

  init() throws { file = try memoryFile() }

  /// Applies a commit, unless it is delivered again.
  ///
  /// - Parameter known: states after this version must be told.
  /// - Returns: the first difference.
  mutating func apply(_ commit: FeedCommit, of batch: FeedBatch, known: ServerVersion) throws -> String? {
    guard commit.version > applied else { return nil }
    let before = model
    let instructions = try commit.instructions()
    for instruction in instructions { try model.apply(instruction) }
    try file.commit(instructions)
    applied = commit.version
    appliedCommits += 1
    guard let changes = try commit.changes() else {
      return commit.version > known ? "the changes of version \(commit.version.rawValue) are not told" : nil
    }
    toldCommits += 1
    return difference(changes, before, batch.schema).map { "version \(commit.version.rawValue): \($0)" }
  }

  private func difference(_ changes: [ObjectChange], _ before: ModelState, _ schema: Schema) -> String? {
    let told = Dictionary(
      changes.map { (ObjectReference(className: $0.className, key: $0.key), $0) },
      uniquingKeysWith: { first, _ in first })
    if told.count != changes.count { return "an object is told twice" }
    for layout in schema.objectSchema where layout.kind != .embedded {
      let name = layout.className
      let keys = Set((before.objects[name] ?? [:]).keys).union((model.objects[name] ?? [:]).keys)
      for key in keys {
        let old = before.objects[name]?[key].map { Self.own($0, key, layout) }
        let new = model.objects[name]?[key].map { Self.own($0, key, layout) }
        guard let change = told[ObjectReference(className: name, key: key)] else {
          if old != new { return "\(name)[\(key)] is not told" }
          continue
        }
        if change.before != old { return "\(name)[\(key)] was \(old as Any), told \(change.before as Any)" }
        if change.after != new { return "\(name)[\(key)] is \(new as Any), told \(change.after as Any)" }
        guard let old, let new else { continue }
        for position in old.indices where old[position] != new[position] && !change.changedProperties.contains(position)
        {
          return "\(name)[\(key)].\(layout.properties[position].name) is not told as written"
        }
      }
    }
    return nil
  }

  /// The own values of an object, in the order of its class.
  private static func own(_ fields: [String: ModelValue], _ key: ObjectKey, _ layout: ObjectSchema) -> [Value] {
    layout.properties.map { property in
      if property.name == layout.primaryKey { return key.value ?? .null }
      guard property.collection == .single else { return .null }
      switch fields[property.name] {
      case .scalar(let payload)?:
        if case .link? = payload.value { return .null }
        return payload.value ?? .null
      case nil: return property.type == .int && !property.isOptional ? .int(0) : .null
      case .object?, .list?, .dictionary?, .set?: return .null
      }
    }
  }
}
