// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "SyncProtocol",
  products: [
    .library(name: "SyncProtocol", targets: ["SyncProtocol"]),
    .library(name: "SyncProtocolTestSupport", targets: ["SyncProtocolTestSupport"]),
  ],
  dependencies: [.package(path: "../ByteCoding"), .package(path: "../ChangesetOT"), .package(path: "../TestKit")],
  targets: [
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "SyncProtocol", dependencies: ["CZlib", "ByteCoding", "ChangesetOT"]),
    .target(name: "SyncProtocolTestSupport", dependencies: ["SyncProtocol", "ChangesetOT", "TestKit"]),
    .testTarget(
      name: "SyncProtocolTests",
      dependencies: ["SyncProtocol", "SyncProtocolTestSupport", "ByteCoding", "ChangesetOT", "TestKit"]),
  ]
)
