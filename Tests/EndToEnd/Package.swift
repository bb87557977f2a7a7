// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "EndToEnd",
  dependencies: [
    .package(path: "../../Packages/AuthClient"),
    .package(path: "../../Packages/ChangesetOT"),
    .package(path: "../../Packages/Cryptography"),
    .package(path: "../../Packages/DataModel"),
    .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/Permissions"),
    .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/SyncProtocol"),
    .package(path: "../../Packages/Telemetry"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "AuthClient", "ChangesetOT", "Cryptography", "DataModel", "ObjectServer", "ObjectStore", "Permissions",
        "SyncClient",
        "SyncProtocol", "Telemetry", "TestKit", "Transport",
        .product(name: "AccessTokens", package: "AuthClient"),
        .product(name: "TransportReal", package: "Transport"),
      ])
  ]
)
