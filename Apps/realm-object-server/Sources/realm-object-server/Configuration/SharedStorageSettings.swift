import CommandLineKit
import Foundation
import ObjectServer
import ServerCluster
import Transport
import TransportReal

/// The settings of a node of a cluster.
enum SharedStorageSettings {
  /// The address of the database; nil for a server that is alone.
  static func address(_ settings: Settings) throws -> String? {
    guard let address = settings.text("storage"), address != "embedded" else { return nil }
    guard address.hasPrefix("postgresql://") || address.hasPrefix("postgres://") else {
      throw CommandFailure(
        "\(settings.location(of: "storage")): '\(settings.shown("storage") ?? "")' is no address of a database",
        remedy: "write it as postgresql://host/database, or leave it out", exitCode: .usage)
    }
    return address
  }

  /// The storage of a node; nil for a server that is alone.
  ///
  /// - Parameter isServing: whether the node serves, so that its name and address must be set.
  static func storage(_ settings: Settings, isServing: Bool) throws -> (any SharedStorage)? {
    guard let database = try address(settings) else {
      for name in ["node", "node-address", "node-authority", "cluster-secret-file"]
      where isServing && settings.text(name) != nil {
        throw CommandFailure(
          "\(settings.location(of: name)) is set, but storage is not", remedy: "set both, or none", exitCode: .usage)
      }
      return nil
    }
    let secret = try secret(settings)
    guard let name = settings.text("node"), let address = settings.text("node-address") else {
      guard isServing else {
        return PostgresStorage(database, node: ClusterNode(name: "", address: ""), secret: secret)
      }
      throw CommandFailure(
        "\(settings.location(of: "storage")) is set, but node or node-address is not",
        remedy: "give the server a name, and the address under which the others reach it", exitCode: .usage)
    }
    do { _ = try NetworkURL(address) } catch {
      throw CommandFailure(
        "\(settings.location(of: "node-address")): \(error.message)", remedy: "write it as http://10.0.0.7:9080",
        exitCode: .usage)
    }
    return PostgresStorage(
      database,
      node: ClusterNode(
        name: name, address: address, lease: settings.seconds("lease-seconds") ?? .seconds(10),
        peerTLS: try peerTLS(settings), release: ServerTool.version), secret: secret)
  }

  /// The certificates that the node accepts from the others.
  private static func peerTLS(_ settings: Settings) throws -> TLSClientConfiguration {
    guard let path = settings.text("node-authority") else { return TLSClientConfiguration() }
    let tls = TLSClientConfiguration(trust: .certificates(pem: try text(path, "node-authority", settings)))
    do { try RealNetwork.check(tls) } catch {
      throw CommandFailure(
        "\(settings.location(of: "node-authority")): \(error.message)",
        remedy: "give a PEM file with the certificates of the authorities", exitCode: .usage)
    }
    return tls
  }

  /// The secret that wraps the keys in the database; nil when there is none.
  static func secret(_ settings: Settings) throws -> ClusterSecret? {
    guard let path = settings.text("cluster-secret-file") else { return nil }
    let text = try text(path, "cluster-secret-file", settings)
    do throws(ServerError) {
      return try ClusterSecret(text)
    } catch {
      throw CommandFailure(
        "\(settings.location(of: "cluster-secret-file")): \(error.message)", remedy: error.remedy, exitCode: .usage)
    }
  }

  private static func text(_ path: String, _ name: String, _ settings: Settings) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(
        "\(settings.location(of: name)): \(path) cannot be read", remedy: "check that the server's user may read it",
        exitCode: .usage)
    }
    return String(decoding: data, as: UTF8.self)
  }
}
