// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "chat",
  products: [.executable(name: "chat", targets: ["chat"])],
  dependencies: [
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/ObjectServer"),
    .package(path: "../../Packages/RealmSwift"),
    .package(path: "../../Packages/TerminalUI"),
    .package(path: "../../Packages/TestKit"),
    .package(path: "../../Packages/Transport"),
  ],
  targets: [
    .target(
      name: "ChatCore",
      dependencies: [
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "TextWidth", package: "CommandLineKit"),
        .product(name: "TerminalUI", package: "TerminalUI"),
      ]),
    .target(
      name: "ChatRealm",
      dependencies: [
        "ChatCore",
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "RealmSwift", package: "RealmSwift"),
        .product(name: "Transport", package: "Transport"),
      ]),
    .executableTarget(
      name: "chat",
      dependencies: [
        "ChatCore", "ChatRealm",
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "TerminalUI", package: "TerminalUI"),
      ]),
    .testTarget(
      name: "ChatCoreTests",
      dependencies: ["ChatCore", "TestKit", .product(name: "TerminalUITestSupport", package: "TerminalUI")]),
    .testTarget(name: "ChatProgramTests", dependencies: ["chat", "TestKit"]),
    .testTarget(
      name: "ChatRealmTests",
      dependencies: [
        "ChatCore", "ChatRealm", "TestKit",
        .product(name: "ObjectServer", package: "ObjectServer"),
        .product(name: "RealmSwift", package: "RealmSwift"),
        .product(name: "Transport", package: "Transport"),
        .product(name: "TransportReal", package: "Transport"),
      ]),
  ]
)
