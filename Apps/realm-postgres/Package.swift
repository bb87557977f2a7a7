// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "realm-postgres",
  products: [.executable(name: "realm-postgres", targets: ["realm-postgres"])],
  dependencies: [
    .package(path: "../../Packages/AdapterKit"), .package(path: "../../Packages/ByteCoding"),
    .package(path: "../../Packages/ChangesetOT"), .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/CommitFeed"), .package(path: "../../Packages/Cryptography"),
    .package(path: "../../Packages/DataModel"), .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/ObjectStore"), .package(path: "../../Packages/Permissions"),
    .package(path: "../../Packages/PostgresClient"),
    .package(path: "../../Packages/Telemetry"), .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/TestKit"), .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .target(
      name: "PostgresConnector",
      dependencies: [
        "PostgresClient", "AdapterKit", "ByteCoding", "ChangesetOT", "CommitFeed", "Cryptography", "DataModel",
        "ObjectServer", .product(name: "RecordStore", package: "ObjectStore"), "Permissions", "Telemetry",
      ]),
    .executableTarget(
      name: "realm-postgres",
      dependencies: [
        "PostgresClient", "PostgresConnector", "CommandLineKit", "ObjectServer", "Telemetry",
        .product(name: "Transport", package: "Transport"), .product(name: "TransportReal", package: "Transport"),
      ]),
    .testTarget(
      name: "PostgresConnectorTests",
      dependencies: [
        "PostgresConnector", "PostgresClient",
        .product(name: "PostgresClientTestSupport", package: "PostgresClient"), "realm-postgres", "AdapterKit",
        "ByteCoding", "ChangesetOT", "DataModel",
        "ObjectServer",
        .product(name: "ObjectStore", package: "ObjectStore"), .product(name: "RecordStore", package: "ObjectStore"),
        "Permissions", "SyncClient", "Telemetry", "TestKit",
        .product(name: "Transport", package: "Transport"), .product(name: "TransportReal", package: "Transport"),
      ]),
  ]
)
