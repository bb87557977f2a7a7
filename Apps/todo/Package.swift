// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "todo",
  products: [.executable(name: "todo", targets: ["todo"])],
  dependencies: [
    .package(path: "../../Packages/AuthClient"),
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/Permissions"),
    .package(path: "../../Packages/SyncClient"),
    .package(path: "../../Packages/TerminalUI"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .target(
      name: "TodoCore",
      dependencies: [
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "TextWidth", package: "CommandLineKit"),
        .product(name: "TerminalUI", package: "TerminalUI"),
      ]),
    .target(
      name: "TodoRealm",
      dependencies: [
        "TodoCore", .product(name: "ObjectStore", package: "ObjectStore"),
        .product(name: "RecordStore", package: "ObjectStore"),
      ]),
    .executableTarget(
      name: "todo",
      dependencies: [
        "TodoCore", "TodoRealm",
        .product(name: "AuthClient", package: "AuthClient"),
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "ObjectStore", package: "ObjectStore"), .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "Permissions", package: "Permissions"),
        .product(name: "SyncClient", package: "SyncClient"),
        .product(name: "TerminalUI", package: "TerminalUI"),
        .product(name: "Transport", package: "Transport"),
        .product(name: "TransportReal", package: "Transport"),
      ]),
    .testTarget(
      name: "TodoCoreTests",
      dependencies: ["TodoCore", "TestKit", .product(name: "TerminalUITestSupport", package: "TerminalUI")]),
    .testTarget(name: "TodoRealmTests", dependencies: ["TodoCore", "TodoRealm", "TestKit"]),
  ]
)
