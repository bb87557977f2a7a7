import ByteCoding
import GraphQL
import GraphQLTestSupport

#if canImport(Glibc)
  import Glibc
#endif

// Writes random cases with our verdicts and responses, one JSON object per line, for a script that compares them with
// another implementation:
//   graphql-peer SEED SCHEMAS DOCUMENTS-PER-SCHEMA

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 3 else {
  print("graphql-peer SEED SCHEMAS DOCUMENTS-PER-SCHEMA")
  exit(2)
}
for number in 0..<arguments[1] {
  let seed = UInt64(arguments[0]) &* 1_000_003 &+ UInt64(number)
  var schemas = SchemaGenerator(seed: seed)
  let text = schemas.text()
  let service = GraphQLService(schema: try GraphQLSchema(parsing: text))
  let introspection = await service.execute(
    GraphQLRequest(IntrospectionQuery.text), roots: GraphQLRoots(query: root(.query, service.schema)))
  print(
    JSONValue.object([
      ("schema", .string(text)), ("introspection", try JSONValue(parsing: introspection.bytes)),
    ]).text)
  var documents = DocumentGenerator(schema: service.schema, seed: seed)
  for index in 0..<arguments[2] {
    let (document, variables) = documents.document(changes: index % 3)
    print(try await answer(document, variables, service).text)
  }
}

func root(_ kind: OperationKind, _ schema: GraphQLSchema) -> InventedObject {
  InventedObject(schema: schema, typeName: schema.rootType(of: kind)?.name.text ?? "", number: 1)
}

func answer(_ document: String, _ variables: JSONValue, _ service: GraphQLService) async throws -> JSONValue {
  var members: [(key: String, value: JSONValue)] = [("document", .string(document)), ("variables", variables)]
  let errors: [GraphQLError]
  do { errors = try GraphQLDocument(parsing: document).validate(against: service.schema) } catch {
    errors = [error]
  }
  members.append(("errors", .array(errors.map { .string($0.description) })))
  guard errors.isEmpty else { return .object(members) }
  do {
    let operation = try service.prepare(GraphQLRequest(document, variables: variables))
    let response = await operation.execute(.object(root(operation.kind, service.schema)))
    members.append(("response", try JSONValue(parsing: response.bytes)))
  } catch {
    members.append(("refused", .string("\(error)")))
  }
  return .object(members)
}
