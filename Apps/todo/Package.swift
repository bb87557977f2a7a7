// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "todo",
  products: [.executable(name: "todo", targets: ["todo"])],
  dependencies: [
    .package(path: "../../Packages/CommandLineKit"),
    .package(path: "../../Packages/TerminalUI"),
  ],
  targets: [
    .target(
      name: "TodoCore",
      dependencies: [
        .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "TextWidth", package: "CommandLineKit"),
        .product(name: "TerminalUI", package: "TerminalUI"),
      ]),
    .executableTarget(name: "todo", dependencies: [
        "TodoCore", .product(name: "CommandLineKit", package: "CommandLineKit"),
        .product(name: "TerminalUI", package: "TerminalUI"),
      ]),
    .testTarget(
      name: "TodoCoreTests",
      dependencies: ["TodoCore", .product(name: "TerminalUITestSupport", package: "TerminalUI")]),
  ]
)
