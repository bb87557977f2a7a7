// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "TerminalUI",
  products: [
    .library(name: "TerminalUI", targets: ["TerminalUI"]),
    .library(name: "TerminalUITestSupport", targets: ["TerminalUITestSupport"]),
  ],
  dependencies: [.package(path: "../CommandLineKit"), .package(path: "../TestKit")],
  targets: [
    .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(
      name: "TerminalUI",
      dependencies: ["CNcurses", .product(name: "TextWidth", package: "CommandLineKit")]),
    .target(name: "TerminalUITestSupport", dependencies: ["TerminalUI"]),
    .testTarget(
      name: "TerminalUITests",
      dependencies: [
        "TerminalUI", "TerminalUITestSupport", "TestKit", .product(name: "TextWidth", package: "CommandLineKit"),
      ]),
  ]
)
