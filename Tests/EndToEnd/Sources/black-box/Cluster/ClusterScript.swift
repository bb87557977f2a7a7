import Foundation
import TestKit

/// The cluster of `Tools/scripts/cluster.sh`, in a folder of its own. Functions block until the script has ended.
struct ClusterScript {
  /// The folder of data, settings and logs.
  let folder: String
  private let environment: [String: String]
  private let port = 19_080

  /// Whether each part is in a network of its own, and can be cut off: that takes root.
  let hasNetworks = getuid() == 0

  /// - Parameters:
  ///   - lease: seconds that a node which is not heard of keeps its realms.
  ///   - isSynchronous: whether commits wait for the standby; without, a fail-over loses some.
  init(lease: Int, isSynchronous: Bool) {
    folder = "/tmp/openrealm-faults-\(UUID().uuidString.prefix(8))"
    var environment = ProcessInfo.processInfo.environment
    environment["CLUSTER"] = folder
    environment["PORT"] = "\(port)"
    environment["LEASE"] = "\(lease)"
    environment["CLOCKS"] = "apart"
    environment["FSYNC"] = "off"
    environment["STANDBY"] = isSynchronous ? "synchronous" : "late"
    environment["NETWORK"] = hasNetworks ? "namespaces" : "loopback"
    self.environment = environment
  }

  /// Where clients connect: the balancer.
  var server: String { "http://\(hasNetworks ? "10.231.0.1" : "127.0.0.1"):\(port)" }

  /// Runs the script with these words.
  ///
  /// - Returns: what it printed.
  /// - Throws: ``Driver/Failure`` when it ends with an error.
  @discardableResult
  func run(_ words: [String]) throws -> String {
    let script = environment["CLUSTER_SCRIPT"] ?? "Tools/scripts/cluster.sh"
    let process = ChildProcess()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", script] + words
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    guard process.waitForEnd() == 0 else {
      throw Driver.Failure(description: "cluster.sh \(words.joined(separator: " ")) failed; see \(folder)")
    }
    return String(decoding: data, as: UTF8.self)
  }
}
