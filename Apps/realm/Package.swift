// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "realm",
  products: [.executable(name: "realm", targets: ["realm"])],
  dependencies: [
    .package(path: "../realm-object-server"),
    .package(path: "../../Packages/ByteCoding"),
    .package(path: "../../Packages/ChangesetOT"),
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/Concurrency"),
    .package(path: "../../Packages/Cryptography"),
    .package(path: "../../Packages/DataExchange"),
    .package(path: "../../Packages/DataModel"),
    .package(path: "../../Packages/GraphQL"),
    .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/QueryLanguage"),
    .package(path: "../../Packages/RealmGraphQL"),
    .package(path: "../../Packages/Studio"),
    .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/TerminalUI"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .target(
      name: "RealmTool",
      dependencies: [
        "ByteCoding", "GraphQL", "RealmGraphQL", "Concurrency", "Studio",
        .product(name: "ObjectServer", package: "ObjectServer"),
        .product(name: "TransportReal", package: "Transport"),
        .product(name: "ChangesetOT", package: "ChangesetOT"),
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "DataExchange", package: "DataExchange"),
        .product(name: "DataModel", package: "DataModel"),
        .product(name: "ObjectStore", package: "ObjectStore"), .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "QueryLanguage", package: "QueryLanguage"),
        .product(name: "SyncClient", package: "SyncClient"),
        .product(name: "TerminalUI", package: "TerminalUI"),
        .product(name: "TextWidth", package: "CommandLineKit"),
        .product(name: "Transport", package: "Transport"),
      ]),
    .executableTarget(
      name: "realm", dependencies: ["RealmTool", .product(name: "CommandLineKit", package: "CommandLineKit")]),
    .testTarget(
      name: "RealmToolTests",
      dependencies: [
        "realm", "RealmTool",
        "Cryptography",
        .product(name: "realm-object-server", package: "realm-object-server"),
        .product(name: "ChangesetOT", package: "ChangesetOT"),
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "DataModel", package: "DataModel"),
        .product(name: "ObjectStore", package: "ObjectStore"), .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "TerminalUI", package: "TerminalUI"),
        .product(name: "TerminalUITestSupport", package: "TerminalUI"),
        .product(name: "TestKit", package: "TestKit"),
      ]),
  ]
)
