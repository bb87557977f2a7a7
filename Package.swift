// swift-tools-version: 6.1
import PackageDescription

// Every package, app and tool in one build folder. Each package also keeps a manifest of its own, so that its
// arrows are physical and it can be tested alone; `tidy` fails when the two disagree. It is long because SwiftPM reads one file.

// Each product is the target of its name.
let libraries = [
  "TestKit", "ByteCoding", "DataModel", "QueryLanguage", "QueryLanguageTestSupport", "SubscriptionMatching",
  "GraphQL", "GraphQLTestSupport", "ChangesetOT", "ChangesetOTTestSupport", "Permissions", "SyncProtocol",
  "SyncProtocolTestSupport", "Cryptography", "COpenSSL", "Telemetry", "TelemetryTestSupport", "Concurrency",
  "Studio", "Transport", "TransportReal", "TransportSimulated", "StorageEngine", "SQLiteDatabase", "RecordStore",
  "ObjectStore", "CommitFeed", "RealmGraphQL", "AdapterKit", "EventHandling", "DataExchange", "AuthClient",
  "AccessTokens", "SyncClient", "ObjectServer", "ObjectServerTestSupport", "SMTPMail", "PostgresClient",
  "PostgresClientTestSupport", "ServerCluster", "ServerClusterTestSupport", "RealmSwift", "CommandLineKit", "TextWidth",
  "TerminalUI", "TerminalUITestSupport",
]
let programs = [
  "realm-object-server", "todo", "chat", "realm-postgres", "realm", "package-catalogue", "coupon-handler",
  "simulate", "black-box", "merge-laws",
]

let package = Package(
  name: "OpenRealm",
  products: libraries.map { .library(name: $0, targets: [$0]) } + programs.map { .executable(name: $0, targets: [$0]) },
  targets: [
    // Ground
    .target(name: "CTestKit", path: "Packages/TestKit/Sources/CTestKit"),
    .target(name: "TestKit", dependencies: ["CTestKit"], path: "Packages/TestKit/Sources/TestKit"),
    .testTarget(name: "TestKitTests", dependencies: ["TestKit"], path: "Packages/TestKit/Tests/TestKitTests"),
    .target(name: "ByteCoding", path: "Packages/ByteCoding/Sources/ByteCoding"),
    .testTarget(
      name: "ByteCodingTests", dependencies: ["ByteCoding"], path: "Packages/ByteCoding/Tests/ByteCodingTests"),
    .target(name: "DataModel", path: "Packages/DataModel/Sources/DataModel"),
    .testTarget(
      name: "DataModelTests", dependencies: ["DataModel", "TestKit"], path: "Packages/DataModel/Tests/DataModelTests"),

    // Meaning
    .target(name: "QueryLanguage", dependencies: ["DataModel"], path: "Packages/QueryLanguage/Sources/QueryLanguage"),
    .target(
      name: "QueryLanguageTestSupport", dependencies: ["QueryLanguage", "DataModel"],
      path: "Packages/QueryLanguage/Sources/QueryLanguageTestSupport"),
    .testTarget(
      name: "QueryLanguageTests", dependencies: ["QueryLanguage", "QueryLanguageTestSupport", "DataModel", "TestKit"],
      path: "Packages/QueryLanguage/Tests/QueryLanguageTests"),
    .target(
      name: "SubscriptionMatching", dependencies: ["DataModel", "QueryLanguage"],
      path: "Packages/SubscriptionMatching/Sources/SubscriptionMatching"),
    .testTarget(
      name: "SubscriptionMatchingTests",
      dependencies: ["SubscriptionMatching", "DataModel", "QueryLanguage", "QueryLanguageTestSupport", "TestKit"],
      path: "Packages/SubscriptionMatching/Tests/SubscriptionMatchingTests"),
    .target(name: "GraphQL", dependencies: ["ByteCoding"], path: "Packages/GraphQL/Sources/GraphQL"),
    .target(
      name: "GraphQLTestSupport", dependencies: ["GraphQL", "ByteCoding", "TestKit"],
      path: "Packages/GraphQL/Sources/GraphQLTestSupport"),
    .executableTarget(
      name: "graphql-peer", dependencies: ["GraphQL", "GraphQLTestSupport", "ByteCoding"],
      path: "Packages/GraphQL/Sources/graphql-peer"),
    .testTarget(
      name: "GraphQLTests", dependencies: ["GraphQL", "GraphQLTestSupport", "ByteCoding", "TestKit"],
      path: "Packages/GraphQL/Tests/GraphQLTests"),
    .target(
      name: "ChangesetOT", dependencies: ["ByteCoding", "DataModel"], path: "Packages/ChangesetOT/Sources/ChangesetOT"),
    .target(
      name: "ChangesetOTTestSupport", dependencies: ["ByteCoding", "ChangesetOT", "DataModel", "TestKit"],
      path: "Packages/ChangesetOT/Sources/ChangesetOTTestSupport"),
    .executableTarget(
      name: "merge-laws", dependencies: ["ChangesetOT", "ChangesetOTTestSupport", "TestKit"],
      path: "Packages/ChangesetOT/Sources/merge-laws"),
    .testTarget(
      name: "ChangesetOTTests",
      dependencies: ["ByteCoding", "DataModel", "ChangesetOT", "ChangesetOTTestSupport", "TestKit"],
      path: "Packages/ChangesetOT/Tests/ChangesetOTTests"),
    .target(name: "Permissions", path: "Packages/Permissions/Sources/Permissions"),
    .target(
      name: "PermissionsTestSupport", dependencies: ["Permissions", "TestKit"],
      path: "Packages/Permissions/Sources/PermissionsTestSupport"),
    .testTarget(
      name: "PermissionsTests", dependencies: ["Permissions", "PermissionsTestSupport", "TestKit"],
      path: "Packages/Permissions/Tests/PermissionsTests"),
    .systemLibrary(name: "CZlib", path: "Packages/SyncProtocol/Sources/CZlib", pkgConfig: "zlib"),
    .target(
      name: "SyncProtocol", dependencies: ["CZlib", "ByteCoding", "ChangesetOT"],
      path: "Packages/SyncProtocol/Sources/SyncProtocol"),
    .target(
      name: "SyncProtocolTestSupport", dependencies: ["SyncProtocol", "ChangesetOT", "TestKit"],
      path: "Packages/SyncProtocol/Sources/SyncProtocolTestSupport"),
    .testTarget(
      name: "SyncProtocolTests",
      dependencies: ["SyncProtocol", "SyncProtocolTestSupport", "ByteCoding", "ChangesetOT", "TestKit"],
      path: "Packages/SyncProtocol/Tests/SyncProtocolTests"),

    // Edge
    .systemLibrary(name: "COpenSSL", path: "Packages/Cryptography/Sources/COpenSSL", pkgConfig: "openssl"),
    .target(
      name: "Cryptography", dependencies: ["ByteCoding", "COpenSSL"], path: "Packages/Cryptography/Sources/Cryptography"
    ),
    .testTarget(
      name: "CryptographyTests", dependencies: ["Cryptography", "TestKit"],
      path: "Packages/Cryptography/Tests/CryptographyTests"),
    .target(name: "Telemetry", path: "Packages/Telemetry/Sources/Telemetry"),
    .target(
      name: "TelemetryTestSupport", dependencies: ["Telemetry"], path: "Packages/Telemetry/Sources/TelemetryTestSupport"
    ),
    .testTarget(
      name: "TelemetryTests", dependencies: ["Telemetry", "TelemetryTestSupport"],
      path: "Packages/Telemetry/Tests/TelemetryTests"),
    .target(name: "Concurrency", dependencies: ["Telemetry"], path: "Packages/Concurrency/Sources/Concurrency"),
    .testTarget(
      name: "ConcurrencyTests", dependencies: ["Concurrency", "Telemetry", "TestKit"],
      path: "Packages/Concurrency/Tests/ConcurrencyTests"),
    .systemLibrary(name: "CLibUV", path: "Packages/Transport/Sources/CLibUV", pkgConfig: "libuv"),
    .systemLibrary(name: "CHTTPParser", path: "Packages/Transport/Sources/CHTTPParser"),
    .target(
      name: "Transport", dependencies: ["Concurrency", "Cryptography", "Telemetry"],
      path: "Packages/Transport/Sources/Transport"),
    .target(
      name: "TransportReal",
      dependencies: ["Transport", "CLibUV", "CHTTPParser", "Concurrency", "COpenSSL", "Cryptography", "Telemetry"],
      path: "Packages/Transport/Sources/TransportReal"),
    .target(
      name: "TransportSimulated", dependencies: ["Transport", "Concurrency", "Telemetry", "TestKit"],
      path: "Packages/Transport/Sources/TransportSimulated"),
    .testTarget(
      name: "TransportTests", dependencies: ["Transport", "TestKit"], path: "Packages/Transport/Tests/TransportTests"),
    .testTarget(
      name: "TransportRealTests", dependencies: ["Transport", "TransportReal", "Cryptography", "TestKit"],
      path: "Packages/Transport/Tests/TransportRealTests"),
    .testTarget(
      name: "TransportSimulatedTests", dependencies: ["Concurrency", "Transport", "TransportSimulated", "TestKit"],
      path: "Packages/Transport/Tests/TransportSimulatedTests"),

    // State
    .systemLibrary(name: "CSQLite", path: "Packages/StorageEngine/Sources/CSQLite", pkgConfig: "sqlite3"),
    .target(name: "CStorageSupport", path: "Packages/StorageEngine/Sources/CStorageSupport"),
    .target(name: "CWriteBuffer", dependencies: ["CSQLite"], path: "Packages/StorageEngine/Sources/CWriteBuffer"),
    .target(
      name: "SQLiteDatabase", dependencies: ["CSQLite", "CWriteBuffer"],
      path: "Packages/StorageEngine/Sources/SQLiteDatabase"),
    .target(name: "CSimulatedDisk", dependencies: ["CSQLite"], path: "Packages/StorageEngine/Sources/CSimulatedDisk"),
    .target(
      name: "StorageEngine",
      dependencies: ["SQLiteDatabase", "CStorageSupport", "ByteCoding", "Cryptography", "DataModel"],
      path: "Packages/StorageEngine/Sources/StorageEngine"),
    .executableTarget(
      name: "StorageExerciser", dependencies: ["StorageEngine", "SQLiteDatabase", "CSimulatedDisk"],
      path: "Packages/StorageEngine/Sources/StorageExerciser"
    ),
    .testTarget(
      name: "SQLiteDatabaseTests", dependencies: ["SQLiteDatabase"],
      path: "Packages/StorageEngine/Tests/SQLiteDatabaseTests"),
    .testTarget(
      name: "StorageEngineTests",
      dependencies: ["StorageEngine", "SQLiteDatabase", "CSQLite", "StorageExerciser", "CSimulatedDisk", "TestKit"],
      path: "Packages/StorageEngine/Tests/StorageEngineTests"),
    .target(
      name: "RecordStore",
      dependencies: [
        "ByteCoding", "DataModel", "ChangesetOT", "Permissions", "QueryLanguage", "StorageEngine",
        "SubscriptionMatching",
      ],
      path: "Packages/ObjectStore/Sources/RecordStore"),
    .target(
      name: "ObjectStore",
      dependencies: [
        "RecordStore", "ByteCoding", "DataModel", "ChangesetOT", "Permissions", "QueryLanguage", "StorageEngine",
      ],
      path: "Packages/ObjectStore/Sources/ObjectStore"),
    .target(
      name: "DataExchange", dependencies: ["DataModel", "RecordStore", "SQLiteDatabase"],
      path: "Packages/DataExchange/Sources/DataExchange"),
    .testTarget(
      name: "DataExchangeTests",
      dependencies: ["DataExchange", "DataModel", "ObjectStore", "RecordStore", "SQLiteDatabase", "TestKit"],
      path: "Packages/DataExchange/Tests/DataExchangeTests"),
    .target(
      name: "RealmGraphQL",
      dependencies: [
        "ByteCoding", "ChangesetOT", "CommitFeed", "DataExchange", "DataModel", "GraphQL", "Permissions",
        "RecordStore", "QueryLanguage", "SubscriptionMatching",
      ], path: "Packages/RealmGraphQL/Sources/RealmGraphQL"),
    .testTarget(
      name: "RealmGraphQLTests",
      dependencies: [
        "RealmGraphQL", "ByteCoding", "ChangesetOT", "DataModel", "GraphQL", "RecordStore", "QueryLanguage", "TestKit",
      ], path: "Packages/RealmGraphQL/Tests/RealmGraphQLTests"),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "ObjectStore", "RecordStore", "DataModel", "ChangesetOT", "Permissions", "StorageEngine", "SQLiteDatabase",
        "TestKit", "ChangesetOTTestSupport", "PermissionsTestSupport", "QueryLanguageTestSupport",
      ], path: "Packages/ObjectStore/Tests/ObjectStoreTests"),

    // Flow
    .target(
      name: "CommitFeed", dependencies: ["ChangesetOT", "DataModel", "RecordStore", "SubscriptionMatching"],
      path: "Packages/CommitFeed/Sources/CommitFeed"),
    .testTarget(
      name: "CommitFeedTests",
      dependencies: [
        "CommitFeed", "ChangesetOT", "ChangesetOTTestSupport", "DataModel", "RecordStore", "QueryLanguage",
        "SubscriptionMatching", "TestKit",
      ], path: "Packages/CommitFeed/Tests/CommitFeedTests"),
    .target(
      name: "AdapterKit",
      dependencies: ["ByteCoding", "ChangesetOT", "CommitFeed", "DataExchange", "DataModel", "RecordStore"],
      path: "Packages/AdapterKit/Sources/AdapterKit"),
    .testTarget(
      name: "AdapterKitTests",
      dependencies: [
        "AdapterKit", "ByteCoding", "ChangesetOT", "ChangesetOTTestSupport", "CommitFeed", "DataModel", "RecordStore",
        "TestKit",
      ], path: "Packages/AdapterKit/Tests/AdapterKitTests"),

    // Edge, above the network
    .target(
      name: "AccessTokens", dependencies: ["ByteCoding", "Permissions", "Cryptography", "Telemetry"],
      path: "Packages/AuthClient/Sources/AccessTokens"),
    .target(
      name: "AuthClient", dependencies: ["AccessTokens", "Cryptography", "Permissions", "Telemetry", "Transport"],
      path: "Packages/AuthClient/Sources/AuthClient"),
    .testTarget(
      name: "AccessTokensTests", dependencies: ["AccessTokens", "Cryptography", "Permissions", "Telemetry"],
      path: "Packages/AuthClient/Tests/AccessTokensTests"),
    .testTarget(
      name: "AuthClientTests", dependencies: ["AuthClient", "Permissions", "Telemetry", "Transport"],
      path: "Packages/AuthClient/Tests/AuthClientTests"),

    // Roles
    .target(
      name: "SyncClient",
      dependencies: [
        "AuthClient", "ByteCoding", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectStore",
        "RecordStore", "Permissions", "SyncProtocol", "Telemetry", "Transport", "TransportReal",
      ], path: "Packages/SyncClient/Sources/SyncClient"),
    .testTarget(
      name: "SyncClientTests",
      dependencies: [
        "SyncClient", "AuthClient", "ChangesetOT", "Concurrency", "DataModel", "ObjectStore", "RecordStore",
        "SyncProtocol", "Telemetry", "TestKit", "Transport", "TransportSimulated",
      ], path: "Packages/SyncClient/Tests/SyncClientTests"),
    .target(
      name: "ObjectServer",
      dependencies: [
        "AccessTokens", "AdapterKit", "ByteCoding", "ChangesetOT", "CommitFeed", "Concurrency", "Cryptography",
        "DataExchange", "DataModel", "GraphQL", "RealmGraphQL", "RecordStore", "Permissions", "QueryLanguage",
        "SQLiteDatabase", "StorageEngine", "SyncProtocol", "Telemetry", "Transport",
      ], path: "Packages/ObjectServer/Sources/ObjectServer"),
    .systemLibrary(name: "CCurl", path: "Packages/ObjectServer/Sources/CCurl", pkgConfig: "libcurl"),
    .target(
      name: "SMTPMail", dependencies: ["ObjectServer", "CCurl", "Telemetry"],
      path: "Packages/ObjectServer/Sources/SMTPMail"),
    .target(
      name: "ObjectServerTestSupport",
      dependencies: [
        "ObjectServer", "ChangesetOT", "Permissions", "SyncProtocol", "Telemetry", "TelemetryTestSupport",
      ], path: "Packages/ObjectServer/Sources/ObjectServerTestSupport"),
    .testTarget(
      name: "ObjectServerTests",
      dependencies: [
        "ObjectServer", "ObjectServerTestSupport", "SMTPMail", "ServerClusterTestSupport", "AccessTokens",
        "AuthClient", "ChangesetOT", "ChangesetOTTestSupport", "Concurrency", "Cryptography", "DataModel",
        "Permissions", "SyncProtocol", "Telemetry", "TelemetryTestSupport", "TestKit", "Transport", "TransportReal",
        "TransportSimulated", "RecordStore",
      ], path: "Packages/ObjectServer/Tests/ObjectServerTests"),
    .target(
      name: "EventHandling",
      dependencies: [
        "AdapterKit", "ByteCoding", "ChangesetOT", "CommitFeed", "Concurrency", "Cryptography", "DataModel",
        "ObjectServer", "ObjectStore", "RecordStore", "Permissions", "SubscriptionMatching", "SyncClient", "Telemetry",
        "Transport",
      ], path: "Packages/EventHandling/Sources/EventHandling"),
    .testTarget(
      name: "EventHandlingTests",
      dependencies: [
        "EventHandling", "ChangesetOT", "CommitFeed", "Concurrency", "Cryptography", "DataModel", "ObjectServer",
        "ObjectStore", "RecordStore", "Permissions", "SyncClient", "Telemetry", "TestKit", "Transport", "TransportReal",
      ], path: "Packages/EventHandling/Tests/EventHandlingTests"),

    .target(name: "CStudioPages", path: "Packages/Studio/Sources/CStudioPages", exclude: ["Pages"]),
    .target(name: "Studio", dependencies: ["CStudioPages", "Transport"], path: "Packages/Studio/Sources/Studio"),
    .testTarget(name: "StudioTests", dependencies: ["Studio", "Transport"], path: "Packages/Studio/Tests/StudioTests"),
    .systemLibrary(name: "CLibPQ", path: "Packages/PostgresClient/Sources/CLibPQ", pkgConfig: "libpq"),
    .target(name: "PostgresClient", dependencies: ["CLibPQ"], path: "Packages/PostgresClient/Sources/PostgresClient"),
    .target(
      name: "PostgresClientTestSupport", dependencies: ["PostgresClient", "TestKit"],
      path: "Packages/PostgresClient/Sources/PostgresClientTestSupport"),
    .testTarget(
      name: "PostgresClientTests", dependencies: ["PostgresClient", "PostgresClientTestSupport", "TestKit"],
      path: "Packages/PostgresClient/Tests/PostgresClientTests"),

    // Several servers over one PostgreSQL
    .target(
      name: "ServerCluster",
      dependencies: [
        "ByteCoding", "Concurrency", "Cryptography", "ObjectServer", "Permissions", "PostgresClient", "RecordStore",
        "StorageEngine", "Telemetry", "Transport",
      ], path: "Packages/ServerCluster/Sources/ServerCluster"),
    .target(
      name: "ServerClusterTestSupport",
      dependencies: [
        "ServerCluster", "ObjectServer", "ObjectServerTestSupport", "Permissions", "PostgresClient",
        "PostgresClientTestSupport", "StorageEngine", "Telemetry",
      ], path: "Packages/ServerCluster/Sources/ServerClusterTestSupport"),
    .testTarget(
      name: "ServerClusterTests",
      dependencies: [
        "ServerCluster", "ByteCoding", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectServer",
        "ObjectServerTestSupport", "Permissions", "PostgresClient", "PostgresClientTestSupport", "RecordStore",
        "StorageEngine", "SyncProtocol", "Telemetry", "TelemetryTestSupport", "TestKit", "Transport",
        "TransportSimulated",
      ], path: "Packages/ServerCluster/Tests/ServerClusterTests"),
    // The connector to PostgreSQL
    .target(
      name: "PostgresConnector",
      dependencies: [
        "PostgresClient", "AdapterKit", "ByteCoding", "ChangesetOT", "CommitFeed", "Cryptography", "DataModel",
        "ObjectServer", "RecordStore", "Permissions", "Telemetry",
      ], path: "Apps/realm-postgres/Sources/PostgresConnector"),
    .executableTarget(
      name: "realm-postgres",
      dependencies: [
        "PostgresClient", "PostgresConnector", "CommandLineKit", "ObjectServer", "Telemetry", "Transport",
        "TransportReal",
      ], path: "Apps/realm-postgres/Sources/realm-postgres"),
    .testTarget(
      name: "PostgresConnectorTests",
      dependencies: [
        "PostgresConnector", "PostgresClient", "PostgresClientTestSupport", "realm-postgres", "AdapterKit",
        "ByteCoding", "ChangesetOT",
        "DataModel", "ObjectServer", "ObjectStore", "RecordStore", "Permissions", "SyncClient", "Telemetry", "TestKit",
        "Transport", "TransportReal",
      ], path: "Apps/realm-postgres/Tests/PostgresConnectorTests"),

    // Umbrella
    .target(
      name: "RealmSwift", dependencies: ["AuthClient", "ObjectStore", "Permissions", "SyncClient"],
      path: "Packages/RealmSwift/Sources/RealmSwift"),
    .testTarget(
      name: "RealmSwiftTests", dependencies: ["RealmSwift", "TestKit"],
      path: "Packages/RealmSwift/Tests/RealmSwiftTests"),

    // Faces
    .target(name: "TextWidth", path: "Packages/CommandLineKit/Sources/TextWidth"),
    .target(
      name: "CommandLineKit", dependencies: ["TextWidth"], path: "Packages/CommandLineKit/Sources/CommandLineKit"),
    .testTarget(
      name: "CommandLineKitTests", dependencies: ["CommandLineKit", "TextWidth", "TestKit"],
      path: "Packages/CommandLineKit/Tests/CommandLineKitTests"),
    .target(
      name: "CNcurses", path: "Packages/TerminalUI/Sources/CNcurses",
      linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
    .target(
      name: "TerminalUI", dependencies: ["CNcurses", "TextWidth"], path: "Packages/TerminalUI/Sources/TerminalUI"),
    .target(
      name: "TerminalUITestSupport", dependencies: ["TerminalUI"],
      path: "Packages/TerminalUI/Sources/TerminalUITestSupport"),
    .testTarget(
      name: "TerminalUITests", dependencies: ["TerminalUI", "TerminalUITestSupport", "TestKit", "TextWidth"],
      path: "Packages/TerminalUI/Tests/TerminalUITests"),

    // Apps
    .executableTarget(
      name: "realm-object-server",
      dependencies: [
        "ByteCoding", "CommandLineKit", "Cryptography", "EventHandling", "GraphQL", "ObjectServer", "Permissions",
        "SMTPMail", "ServerCluster", "Studio", "Telemetry", "Transport", "TransportReal",
      ], path: "Apps/realm-object-server/Sources/realm-object-server"),
    .testTarget(
      name: "RealmObjectServerTests",
      dependencies: [
        "realm-object-server", "ByteCoding", "CommandLineKit", "AuthClient", "ChangesetOT", "Cryptography",
        "DataModel", "Permissions", "PostgresClientTestSupport", "SyncProtocol", "Telemetry", "TestKit", "Transport",
        "TransportReal",
      ], path: "Apps/realm-object-server/Tests/RealmObjectServerTests"),
    .executableTarget(
      name: "coupon-handler",
      dependencies: ["CommandLineKit", "DataModel", "EventHandling", "ObjectStore", "RecordStore", "SyncClient"],
      path: "Apps/coupon-handler/Sources/coupon-handler"),
    .testTarget(
      name: "CouponHandlerTests",
      dependencies: [
        "coupon-handler", "realm-object-server", "ByteCoding", "ObjectStore", "SyncClient", "TestKit", "Transport",
        "TransportReal",
      ],
      path: "Apps/coupon-handler/Tests/CouponHandlerTests"),
    .executableTarget(
      name: "package-catalogue", dependencies: ["CommandLineKit", "ObjectStore", "QueryLanguage", "SyncClient"],
      path: "Apps/package-catalogue/Sources/package-catalogue"),
    .target(
      name: "RealmTool",
      dependencies: [
        "ByteCoding", "ChangesetOT", "CommandLineKit", "Concurrency", "DataExchange", "DataModel", "GraphQL",
        "ObjectServer", "ObjectStore", "QueryLanguage", "RealmGraphQL", "RecordStore", "Studio", "SyncClient",
        "TerminalUI", "TextWidth", "Transport", "TransportReal",
      ],
      path: "Apps/realm/Sources/RealmTool"),
    .executableTarget(name: "realm", dependencies: ["RealmTool", "CommandLineKit"], path: "Apps/realm/Sources/realm"),
    .testTarget(
      name: "RealmToolTests",
      dependencies: [
        "realm", "realm-object-server", "RealmTool", "ChangesetOT", "CommandLineKit", "Cryptography", "DataModel",
        "ObjectStore", "RecordStore", "TerminalUI", "TerminalUITestSupport", "TestKit",
      ],
      path: "Apps/realm/Tests/RealmToolTests"),
    .target(
      name: "TodoCore", dependencies: ["CommandLineKit", "TextWidth", "TerminalUI"], path: "Apps/todo/Sources/TodoCore"),
    .target(
      name: "TodoRealm", dependencies: ["TodoCore", "CommandLineKit", "RealmSwift", "RecordStore", "Transport"],
      path: "Apps/todo/Sources/TodoRealm"),
    .executableTarget(
      name: "todo", dependencies: ["TodoCore", "TodoRealm", "CommandLineKit", "TerminalUI"],
      path: "Apps/todo/Sources/todo"),
    .testTarget(
      name: "TodoCoreTests", dependencies: ["TodoCore", "TerminalUITestSupport", "TestKit"],
      path: "Apps/todo/Tests/TodoCoreTests"),
    .testTarget(
      name: "TodoRealmTests", dependencies: ["TodoCore", "TodoRealm", "RealmSwift", "TestKit", "Transport"],
      path: "Apps/todo/Tests/TodoRealmTests"),
    .testTarget(name: "TodoProgramTests", dependencies: ["todo", "TestKit"], path: "Apps/todo/Tests/TodoProgramTests"),
    .target(
      name: "ChatCore", dependencies: ["CommandLineKit", "TextWidth", "TerminalUI"], path: "Apps/chat/Sources/ChatCore"),
    .target(
      name: "ChatRealm", dependencies: ["ChatCore", "CommandLineKit", "RealmSwift", "Transport"],
      path: "Apps/chat/Sources/ChatRealm"),
    .executableTarget(
      name: "chat", dependencies: ["ChatCore", "ChatRealm", "CommandLineKit", "TerminalUI"],
      path: "Apps/chat/Sources/chat"),
    .testTarget(
      name: "ChatCoreTests", dependencies: ["ChatCore", "TerminalUITestSupport", "TestKit"],
      path: "Apps/chat/Tests/ChatCoreTests"),
    .testTarget(name: "ChatProgramTests", dependencies: ["chat", "TestKit"], path: "Apps/chat/Tests/ChatProgramTests"),
    .testTarget(
      name: "ChatRealmTests",
      dependencies: [
        "ChatCore", "ChatRealm", "ObjectServer", "RealmSwift", "TestKit", "Transport", "TransportReal",
      ],
      path: "Apps/chat/Tests/ChatRealmTests"),
    .executableTarget(
      name: "black-box",
      dependencies: [
        "ObjectServer", "ObjectStore", "ServerCluster", "SyncClient", "Telemetry", "TestKit", "Transport",
        "TransportReal",
      ],
      path: "Tests/EndToEnd/Sources/black-box"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "black-box", "AuthClient", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectServer",
        "ServerClusterTestSupport", "ObjectStore", "RecordStore", "Permissions", "SyncClient", "SyncProtocol",
        "Telemetry", "TestKit", "Transport", "AccessTokens", "TransportReal",
      ], path: "Tests/EndToEnd/Tests/EndToEndTests"),
    .target(
      name: "Simulation",
      dependencies: [
        "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "ObjectServer", "ObjectServerTestSupport",
        "ObjectStore", "RecordStore", "Permissions", "SyncClient", "Telemetry", "TestKit", "Transport", "AccessTokens",
        "TransportSimulated",
      ], path: "Tests/Simulation/Sources/Simulation"),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "TestKit"], path: "Tests/Simulation/Sources/simulate"),
    .testTarget(
      name: "SimulationTests", dependencies: ["Simulation", "TestKit"], path: "Tests/Simulation/Tests/SimulationTests"),

    // Tools
    .executableTarget(name: "tidy", path: "Tools/tidy/Sources/tidy"),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "AccessTokens", "ByteCoding", "ChangesetOT", "Concurrency", "Cryptography", "DataModel", "GraphQL",
        "ObjectServer", "ObjectServerTestSupport", "ObjectStore", "Permissions", "RealmGraphQL", "RecordStore",
        "QueryLanguage", "SyncProtocol", "Telemetry", "TestKit", "TodoCore", "Transport", "TransportSimulated",
      ],
      path: "Tools/fuzz/Sources/fuzz"),
    .executableTarget(
      name: "websocket-echo", dependencies: ["Transport", "TransportReal"],
      path: "Tools/conformance/Sources/websocket-echo"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AccessTokens", "ChangesetOT", "ChangesetOTTestSupport", "CommitFeed", "Cryptography", "DataExchange",
        "DataModel", "EventHandling", "GraphQL", "ObjectServer", "ObjectStore", "PostgresClient", "PostgresConnector",
        "RecordStore", "Permissions", "QueryLanguage", "RealmGraphQL", "RealmSwift", "ServerCluster", "SQLiteDatabase",
        "SubscriptionMatching", "SyncProtocol", "Telemetry", "TestKit",
        "Transport", "TransportReal",
      ],
      path: "Tools/Benchmarks/Sources/Benchmarks"),
  ]
)
