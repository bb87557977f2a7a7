// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EndToEnd",
  products: [.executable(name: "black-box", targets: ["black-box"])],
  dependencies: [
    .package(path: "../../Packages/AuthClient"),
    .package(path: "../../Packages/ChangesetOT"),
    .package(path: "../../Packages/Concurrency"),
    .package(path: "../../Packages/Cryptography"),
    .package(path: "../../Packages/DataModel"),
    .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/Permissions"),
    .package(path: "../../Packages/ServerCluster"),
    .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/SyncProtocol"),
    .package(path: "../../Packages/Telemetry"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .executableTarget(
      name: "black-box",
      dependencies: [
        "ObjectServer", "ObjectStore", "ServerCluster", "SyncClient", "Telemetry", "TestKit", "Transport",
        .product(name: "TransportReal", package: "Transport"),
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "black-box", "AuthClient", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectServer",
        "ObjectStore", .product(name: "RecordStore", package: "ObjectStore"),
        "Permissions",
        "SyncClient",
        "SyncProtocol", "Telemetry", "TestKit", "Transport",
        .product(name: "ServerClusterTestSupport", package: "ServerCluster"),
        .product(name: "AccessTokens", package: "AuthClient"),
        .product(name: "TransportReal", package: "Transport"),
      ]),
  ]
)
