// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "realm-object-server",
  products: [.executable(name: "realm-object-server", targets: ["realm-object-server"])],
  dependencies: [
    .package(path: "../../Packages/AuthClient"),
    .package(path: "../../Packages/ByteCoding"),
    .package(path: "../../Packages/ChangesetOT"),
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/Cryptography"),
    .package(path: "../../Packages/DataModel"),
    .package(path: "../../Packages/EventHandling"),
    .package(path: "../../Packages/GraphQL"),
    .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/Permissions"),
    .package(path: "../../Packages/PostgresClient"),
    .package(path: "../../Packages/ServerCluster"),
    .package(path: "../../Packages/Studio"),
    .package(path: "../../Packages/SyncProtocol"),
    .package(path: "../../Packages/Telemetry"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .executableTarget(
      name: "realm-object-server",
      dependencies: [
        .product(name: "ByteCoding", package: "ByteCoding"),
        "EventHandling", "GraphQL",
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "ObjectServer", package: "ObjectServer"),
        .product(name: "SMTPMail", package: "ObjectServer"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "ServerCluster", package: "ServerCluster"),
        .product(name: "Studio", package: "Studio"),
        .product(name: "Telemetry", package: "Telemetry"),
        .product(name: "Transport", package: "Transport"),
        .product(name: "TransportReal", package: "Transport"),
      ]),
    .testTarget(
      name: "RealmObjectServerTests",
      dependencies: [
        "realm-object-server",
        .product(name: "ByteCoding", package: "ByteCoding"),
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "AuthClient", package: "AuthClient"),
        .product(name: "ChangesetOT", package: "ChangesetOT"),
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "DataModel", package: "DataModel"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "PostgresClientTestSupport", package: "PostgresClient"),
        .product(name: "SyncProtocol", package: "SyncProtocol"),
        .product(name: "Telemetry", package: "Telemetry"),
        .product(name: "TestKit", package: "TestKit"),
        .product(name: "Transport", package: "Transport"),
        .product(name: "TransportReal", package: "Transport"),
      ]),
  ]
)
