public import CommandLineKit

/// The command line tool `realm`: looks into realm files, checks them, and moves their data.
public enum RealmTool {
  static let version = Release.version

  /// Every command; run it with the words after the name of the tool.
  public static let command = Command(
    "realm", summary: "Look into realm files, check them, and move their data in and out.",
    discussion: """
      Files are only read, except by 'import', 'set', 'delete', 'browse' and 'compact'. No model classes are needed.

        realm inspect pets.realm
        realm query pets.realm Dog "age > 8 SORT(name ASC)" --limit 10
        realm export pets.realm pets.json
        realm import pets.realm dogs.csv --class Dog
        realm browse pets.realm
        realm generate swift pets.realm > Models.swift

      Exit codes: 0 done; 1 it could not be done, or 'diff' found differences; 2 the command line was not understood; 130 \
      ended by Ctrl-C. With --json, an error is one line of JSON on standard error: {"error":{"code","message","remedy"}}.
      """,
    version: version,
    options: [
      .value(
        "key-file", valueName: "FILE", help: "The encryption key: 64 bytes, or 128 hexadecimal digits.",
        environment: "REALM_KEY_FILE"),
      .flag("json", help: "Print JSON, for programs."),
    ],
    subcommands: [
      inspect, schema, query, graphQL, browse, studio, set, delete, export, importing, generate, diff, verify, compact,
      copy,
      clone,
      changeset,
    ])
}
