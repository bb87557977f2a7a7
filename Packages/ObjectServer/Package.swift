// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ObjectServer",
  products: [
    .library(name: "ObjectServer", targets: ["ObjectServer"]),
    .library(name: "ObjectServerTestSupport", targets: ["ObjectServerTestSupport"]),
    .library(name: "SMTPMail", targets: ["SMTPMail"]),
  ],
  dependencies: [
    .package(path: "../AdapterKit"),
    .package(path: "../AuthClient"),
    .package(path: "../ByteCoding"),
    .package(path: "../ChangesetOT"),
    .package(path: "../CommitFeed"),
    .package(path: "../Concurrency"),
    .package(path: "../Cryptography"),
    .package(path: "../DataExchange"),
    .package(path: "../DataModel"),
    .package(path: "../GraphQL"),
    .package(path: "../ObjectStore"),
    .package(path: "../Permissions"),
    .package(path: "../QueryLanguage"),
    .package(path: "../RealmGraphQL"),
    // For the tests alone, which run over PostgreSQL as well.
    .package(path: "../ServerCluster"),
    .package(path: "../StorageEngine"),
    .package(path: "../SyncProtocol"),
    .package(path: "../Telemetry"),
    .package(path: "../TestKit"),
    .package(path: "../Transport"),
  ],
  targets: [
    .target(
      name: "ObjectServer",
      dependencies: [
        .product(name: "AccessTokens", package: "AuthClient"),
        .product(name: "ByteCoding", package: "ByteCoding"),
        .product(name: "ChangesetOT", package: "ChangesetOT"),
        .product(name: "Concurrency", package: "Concurrency"),
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "DataExchange", package: "DataExchange"),
        .product(name: "DataModel", package: "DataModel"),
        .product(name: "QueryLanguage", package: "QueryLanguage"),
        "AdapterKit", "CommitFeed", "GraphQL", "RealmGraphQL",
        .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "SQLiteDatabase", package: "StorageEngine"),
        .product(name: "StorageEngine", package: "StorageEngine"),
        .product(name: "SyncProtocol", package: "SyncProtocol"),
        .product(name: "Telemetry", package: "Telemetry"),
        .product(name: "Transport", package: "Transport"),
      ]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
    .target(
      name: "SMTPMail", dependencies: ["ObjectServer", "CCurl", .product(name: "Telemetry", package: "Telemetry")]),
    .target(
      name: "ObjectServerTestSupport",
      dependencies: [
        "ObjectServer", "ChangesetOT", "Permissions", "SyncProtocol", "Telemetry",
        .product(name: "TelemetryTestSupport", package: "Telemetry"),
      ]),
    .testTarget(
      name: "ObjectServerTests",
      dependencies: [
        "ObjectServer", "ObjectServerTestSupport", "SMTPMail",
        .product(name: "ServerClusterTestSupport", package: "ServerCluster"),
        .product(name: "AccessTokens", package: "AuthClient"),
        .product(name: "AuthClient", package: "AuthClient"),
        .product(name: "ChangesetOT", package: "ChangesetOT"),
        .product(name: "ChangesetOTTestSupport", package: "ChangesetOT"),
        .product(name: "Concurrency", package: "Concurrency"),
        .product(name: "Cryptography", package: "Cryptography"),
        .product(name: "DataModel", package: "DataModel"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "SyncProtocol", package: "SyncProtocol"),
        .product(name: "Telemetry", package: "Telemetry"),
        .product(name: "TelemetryTestSupport", package: "Telemetry"),
        .product(name: "TestKit", package: "TestKit"),
        .product(name: "Transport", package: "Transport"),
        .product(name: "TransportReal", package: "Transport"),
        .product(name: "TransportSimulated", package: "Transport"),
        .product(name: "RecordStore", package: "ObjectStore"),
      ]),
  ]
)
