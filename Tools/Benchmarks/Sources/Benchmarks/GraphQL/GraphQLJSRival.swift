import Foundation

/// graphql-js over people in memory, in a process of Node. Debian's package `node-graphql` is used when it is there.
struct GraphQLJSRival {
  /// The processor time of one execution with its text, in seconds.
  var seconds: Double
  var bytes: Int

  /// - Throws: ``BenchmarkFailure`` with the reason when Node or graphql-js are missing.
  init(_ people: [PersonValues], query: String, rounds: Int) throws {
    guard FileManager.default.fileExists(atPath: "/usr/share/nodejs/graphql"),
      let node = ["/usr/bin/node", "/usr/local/bin/node"].first(where: FileManager.default.isExecutableFile)
    else { throw BenchmarkFailure("graphql-js is not installed: apt install node-graphql") }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("openrealm-bench-graphql-\(getpid()).cjs")
    defer { try? FileManager.default.removeItem(at: file) }
    let rows = people.map { #"{id:\#($0.id),name:"\#($0.name)",age:\#($0.age)}"# }.joined(separator: ",")
    try """
    const { buildSchema, parse, validate, execute } = require('/usr/share/nodejs/graphql');
    const people = [\(rows)];
    const schema = buildSchema('type Person { id: Int! name: String! age: Int! } type Query { persons(take: Int): [Person!] }');
    const rootValue = { persons: ({ take }) => people.slice(0, take) };
    const document = parse('\(query)');
    if (validate(schema, document).length) throw new Error('invalid');
    const once = () => JSON.stringify(execute({ schema, document, rootValue }));
    let bytes = 0;
    for (let i = 0; i < \(rounds); i++) bytes = once().length;
    const start = process.cpuUsage();
    for (let i = 0; i < \(rounds); i++) once();
    const used = process.cpuUsage(start);
    console.log((used.user + used.system) / 1e6 / \(rounds) + ' ' + bytes);
    """.write(to: file, atomically: true, encoding: .utf8)
    let child = try LineProcess(URL(fileURLWithPath: node), [file.path])
    defer { child.stop() }
    let words = try child.line().split(separator: " ")
    guard words.count == 2, let seconds = Double(words[0]), let bytes = Int(words[1]) else {
      throw BenchmarkFailure("graphql-js did not answer")
    }
    (self.seconds, self.bytes) = (seconds, bytes)
  }
}
