// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "todo",
  products: [.executable(name: "todo", targets: ["todo"])],
  dependencies: [
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/ObjectStore"),
    .package(path: "../../Packages/RealmSwift"),
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
        "TodoCore",
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "RealmSwift", package: "RealmSwift"),
        .product(name: "RecordStore", package: "ObjectStore"),
        .product(name: "Transport", package: "Transport"),
      ]),
    .executableTarget(
      name: "todo",
      dependencies: [
        "TodoCore", "TodoRealm",
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "TerminalUI", package: "TerminalUI"),
      ]),
    .testTarget(
      name: "TodoCoreTests",
      dependencies: ["TodoCore", "TestKit", .product(name: "TerminalUITestSupport", package: "TerminalUI")]),
    .testTarget(
      name: "TodoRealmTests",
      dependencies: [
        "TodoCore", "TodoRealm", "TestKit",
        .product(name: "RealmSwift", package: "RealmSwift"),
        .product(name: "Transport", package: "Transport"),
      ]),
    .testTarget(name: "TodoProgramTests", dependencies: ["todo", "TestKit"]),
  ]
)
