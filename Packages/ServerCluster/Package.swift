// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ServerCluster",
  products: [
    .library(name: "ServerCluster", targets: ["ServerCluster"]),
    .library(name: "ServerClusterTestSupport", targets: ["ServerClusterTestSupport"]),
  ],
  dependencies: [
    .package(path: "../ByteCoding"), .package(path: "../ChangesetOT"), .package(path: "../Concurrency"),
    .package(path: "../Cryptography"), .package(path: "../DataModel"), .package(path: "../ObjectServer"),
    .package(path: "../ObjectStore"),
    .package(path: "../Permissions"), .package(path: "../PostgresClient"), .package(path: "../StorageEngine"),
    .package(path: "../SyncProtocol"), .package(path: "../Telemetry"), .package(path: "../TestKit"),
    .package(path: "../Transport"),
  ],
  targets: [
    .target(
      name: "ServerCluster",
      dependencies: [
        "ByteCoding", "Concurrency", "Cryptography", "ObjectServer", "Permissions", "PostgresClient",
        .product(name: "RecordStore", package: "ObjectStore"), "StorageEngine", "Telemetry",
        .product(name: "Transport", package: "Transport"),
      ]),
    .target(
      name: "ServerClusterTestSupport",
      dependencies: [
        "ServerCluster", "ObjectServer", .product(name: "ObjectServerTestSupport", package: "ObjectServer"),
        "Permissions", "PostgresClient", .product(name: "PostgresClientTestSupport", package: "PostgresClient"),
        "StorageEngine", "Telemetry",
      ]),
    .testTarget(
      name: "ServerClusterTests",
      dependencies: [
        "ServerCluster", "ByteCoding", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectServer",
        .product(name: "ObjectServerTestSupport", package: "ObjectServer"), "Permissions", "PostgresClient",
        .product(name: "PostgresClientTestSupport", package: "PostgresClient"),
        .product(name: "RecordStore", package: "ObjectStore"), "StorageEngine", "SyncProtocol", "Telemetry",
        .product(name: "TelemetryTestSupport", package: "Telemetry"), "TestKit",
        .product(name: "Transport", package: "Transport"),
        .product(name: "TransportSimulated", package: "Transport"),
      ]),
  ]
)
