import CommandLineKit
import Foundation
import ObjectServer
import Permissions
import ServerCluster

/// The nodes of a cluster, as its database has them.
enum ClusterCommand {
  static let command = Command(
    "cluster", summary: "See and direct the servers of a cluster.",
    subcommands: [status, move, drain, importing, exporting])

  private static let status = Command(
    "status", summary: "List the servers of the cluster with their realms.",
    discussion: """
      Works beside running servers, from any machine that reaches the database. The load is that of the server's realms, in \
      processors.

        realm-object-server cluster status --storage postgresql://db.example.com/realms
      """,
    options: storage
  ) { invocation, console in
    try ServeCommand.reporting {
      let nodes = try administration(invocation).nodes()
      guard !invocation.flag("json") else { return console.print(json: .array(nodes.map(json))) }
      var table = TextTable(columns: [
        .init("Node"), .init("Address", shrinks: true), .init("State"), .init("Shards", alignsRight: true),
        .init("Realms", alignsRight: true), .init("Load", alignsRight: true), .init("Release"),
      ])
      for node in nodes {
        table.rows.append([
          node.member.node.name, node.member.node.address, state(node.member), String(node.shards), String(node.realms),
          node.member.load.map { String(format: "%.2f", Double($0) / 1_000) } ?? "", node.member.release,
        ])
      }
      console.print(table)
    }
  }

  private static let move = Command(
    "move", summary: "Give a realm to another server of the cluster.",
    discussion: """
      The realms of its shard go with it. Their clients are told to come back, and are passed on to the new server. Waits until \
      it has them.

        realm-object-server cluster move /ann/todo b --storage postgresql://db.example.com/realms
      """,
    options: storage,
    arguments: [.one("path", help: "The realm."), .one("node", help: "The name of the server.")]
  ) { invocation, console in
    try ServeCommand.reporting {
      let (path, node) = (try realm(invocation), invocation.argument("node") ?? "")
      let administration = try administration(invocation)
      try administration.move(path, to: node)
      for _ in 0..<300 {
        if try administration.owner(of: path)?.node.name == node {
          guard !invocation.flag("json") else {
            return console.print(json: .object([("path", .text(path.description)), ("node", .text(node))]))
          }
          return console.print("\(path) is at \(node)")
        }
        Thread.sleep(forTimeInterval: 0.1)
      }
      throw CommandFailure(
        "\(path) is not at \(node) after 30 seconds",
        remedy: "look at the log of its server; 'cluster status' lists them")
    }
  }

  private static let drain = Command(
    "drain", summary: "Let a server give all its realms to the others and take none.",
    discussion: """
      For a server that is to be stopped or replaced. Waits until it has none. It takes realms again with --undo, or when it is \
      started anew.

        realm-object-server cluster drain a --storage postgresql://db.example.com/realms
      """,
    options: storage + [.flag("undo", help: "Let it take realms again.")],
    arguments: [.one("node", help: "The name of the server.")]
  ) { invocation, console in
    try ServeCommand.reporting {
      let (name, isUndone) = (invocation.argument("node") ?? "", invocation.flag("undo"))
      let administration = try administration(invocation)
      try administration.setDraining(!isUndone, node: name)
      func tell(_ text: String) {
        guard !invocation.flag("json") else {
          return console.print(json: .object([("node", .text(name)), ("draining", .boolean(!isUndone))]))
        }
        console.print("\(text)")
      }
      guard !isUndone else { return tell("\(name) takes realms") }
      for _ in 0..<600 {
        let left = try administration.nodes().first { $0.member.node.name == name }
        guard let left, left.member.isAlive, left.shards > 0 else { return tell("\(name) has no realms") }
        Thread.sleep(forTimeInterval: 0.1)
      }
      throw CommandFailure(
        "\(name) still has realms after a minute", remedy: "start another server that takes them, or wait longer")
    }
  }

  static let storage: [CommandOption] = ServeOptions.all.filter {
    ["storage", "cluster-secret-file", "config"].contains($0.name)
  }

  private static func administration(_ invocation: Invocation) throws -> ClusterAdministration {
    try ClusterAdministration(address(invocation))
  }

  /// The address of the database.
  static func address(_ invocation: Invocation) throws -> String {
    let settings = try ServeCommand.settings(invocation)
    guard let address = try SharedStorageSettings.address(settings) else {
      throw CommandFailure(
        "storage is not set", remedy: "name the database of the cluster, with --storage or in the configuration file",
        exitCode: .usage)
    }
    return address
  }

  private static func realm(_ invocation: Invocation) throws -> RealmPath {
    let text = invocation.argument("path") ?? ""
    do throws(RealmPathError) { return try RealmPath(text) } catch {
      throw CommandFailure(
        "'\(text)' is no path of a realm: \(error)", remedy: "write it as /user/name", exitCode: .usage)
    }
  }

  private static func json(_ node: ClusterAdministration.Node) -> JSONOutput {
    .object([
      ("name", .text(node.member.node.name)), ("address", .text(node.member.node.address)),
      ("state", .text(state(node.member))), ("release", .text(node.member.release)), ("shards", .integer(node.shards)),
      ("realms", .integer(node.realms)),
      ("load", node.member.load.map { .number(Double($0) / 1_000) } ?? .null),
    ])
  }

  private static func state(_ member: ClusterMember) -> String {
    member.isAlive ? member.isDraining ? "draining" : "alive" : "away"
  }
}
