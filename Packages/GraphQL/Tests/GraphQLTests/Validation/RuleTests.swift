import Testing

@testable import GraphQL

/// One row per case: the rule, a document, and the errors with their places; none for a valid document.
struct RuleCase: CustomTestStringConvertible, Sendable {
  var rule: String
  var document: String
  var errors: [String]

  init(_ rule: String, _ document: String, _ errors: String...) {
    self.rule = rule
    self.document = document
    self.errors = errors
  }

  var testDescription: String { "\(rule): \(document)" }
}

@Test("every rule accepts what it allows and names what it refuses, with its places", arguments: ruleCases)
func rule(_ row: RuleCase) throws {
  let found = try DogSchema.errors(row.document)
  #expect(found == row.errors)
}

@Test("every rule has a case that it refuses and one that it accepts")
func casesCoverAllRules() {
  let names =
    ValidationRules.all.map { "\($0)" } + ["NoFragmentCycles", "OverlappingFieldsCanBeMerged"]
  for name in names {
    #expect(ruleCases.contains { $0.rule == name && $0.errors.isEmpty }, "\(name) has no valid case")
    #expect(ruleCases.contains { $0.rule == name && !$0.errors.isEmpty }, "\(name) has no invalid case")
  }
}

let ruleCases: [RuleCase] = operationCases + fragmentCases + valueCases + variableCases + mergingCases

private let operationCases: [RuleCase] = [
  RuleCase("ExecutableDefinitions", "query A { dog { name } } fragment F on Dog { name } query B { dog { ...F } }"),
  RuleCase(
    "ExecutableDefinitions", "{ dog { name } } type Cow { name: String } extend schema @onQuery",
    "1:18 The definition of \"Cow\" cannot run.", "1:44 The definition of a schema cannot run."),
  RuleCase("KnownOperationTypes", "mutation { add { name } }"),
  RuleCase("UniqueOperationNames", "query A { dog { name } } mutation B { add { name } }"),
  RuleCase(
    "UniqueOperationNames", "query A { dog { name } } mutation A { add { name } }",
    "1:7 1:35 There is more than one operation named \"A\"."),
  RuleCase("LoneAnonymousOperation", "{ dog { name } }"),
  RuleCase(
    "LoneAnonymousOperation", "{ dog { name } } query B { dog { name } }",
    "1:1 An operation without a name must be the only operation of its document."),
  RuleCase("SingleFieldSubscriptions", "subscription { changed { name } changed { nickname } }"),
  RuleCase(
    "SingleFieldSubscriptions", "subscription S { changed { name } other }",
    "1:35 The subscription \"S\" must select only one root field."),
  RuleCase(
    "SingleFieldSubscriptions", "subscription { ...F } fragment F on Subscription { changed { name } other }",
    "1:69 A subscription without a name must select only one root field."),
  RuleCase(
    "SingleFieldSubscriptions", "subscription { __typename }",
    "1:16 A subscription without a name must not select a field of introspection at its root."),
  RuleCase(
    "SingleFieldSubscriptions", "subscription { other @skip(if: false) }",
    "1:22 A subscription without a name must not use @skip or @include on its root fields."),
  RuleCase(
    "SingleFieldSubscriptions", "subscription { }",
    "1:14 A subscription without a name must select a root field."),
  RuleCase("KnownTypeNames", "query ($id: ID) { human(id: $id) { name } }"),
  RuleCase(
    "KnownTypeNames", "query ($d: Dgo) { args { int(value: $d) } pet { ... on Cet { name } } }",
    "1:12 Unknown type \"Dgo\". Did you mean \"Dog\"?",
    "1:56 Unknown type \"Cet\". Did you mean \"Cat\", \"Pet\" or \"Int\"?"),
  RuleCase("ScalarLeafs", "{ dog { name } human { } }"),
  RuleCase(
    "ScalarLeafs", "{ dog { barks { no } } human }",
    "1:15 The field \"barks\" of type \"Boolean\" has no fields to select.",
    "1:24 The field \"human\" of type \"Human\" must have a selection of fields: human { … }."),
  RuleCase(
    "FieldsOnCorrectType", "{ __typename dog { __typename name } catOrDog { __typename } __schema { description } }"),
  RuleCase(
    "FieldsOnCorrectType", "{ dog { nmae meows } pet { nickname } catOrDog { name } }",
    "1:9 Cannot query field \"nmae\" on type \"Dog\". Did you mean \"name\"?",
    "1:14 Cannot query field \"meows\" on type \"Dog\".",
    "1:28 Cannot query field \"nickname\" on type \"Pet\". Did you mean a fragment on \"Dog\" or \"Cat\"?",
    "1:50 Cannot query field \"name\" on type \"CatOrDog\". Did you mean a fragment on \"Cat\" or \"Dog\"?"),
  RuleCase(
    "FieldsOnCorrectType", "{ dog { __schema { description } } }",
    "1:9 Cannot query field \"__schema\" on type \"Dog\"."),
  RuleCase("KnownDirectives", "query @onQuery { dog @include(if: true) { name @onField } }"),
  RuleCase(
    "KnownDirectives", "query @onField { dog @unknown { name } }",
    "1:7 The directive \"@onField\" may not be used on QUERY.", "1:22 Unknown directive \"@unknown\"."),
  RuleCase("UniqueDirectivesPerLocation", "{ dog { name @tag(name: \"a\") @tag(name: \"b\") @onField } }"),
  RuleCase(
    "UniqueDirectivesPerLocation", "{ dog { name @onField @onField } }",
    "1:14 1:23 The directive \"@onField\" can only be used once at this place."),
  RuleCase("KnownArgumentNames", "{ dog { isAtLocation(x: 1) @include(if: true) } }"),
  RuleCase(
    "KnownArgumentNames", "{ dog { isAtLocation(z: 1) name @include(if: true, unless: 1) } }",
    "1:22 Unknown argument \"z\" on field \"Dog.isAtLocation\". Did you mean \"x\" or \"y\"?",
    "1:52 Unknown argument \"unless\" on directive \"@include\"."),
  RuleCase("UniqueArgumentNames", "{ dog { isAtLocation(x: 1, y: 1) } }"),
  RuleCase(
    "UniqueArgumentNames", "{ dog { isAtLocation(x: 1, x: 1) name @tag(name: \"a\", name: \"a\") } }",
    "1:22 1:28 There is more than one argument named \"x\".",
    "1:44 1:55 There is more than one argument named \"name\"."),
  RuleCase("ProvidedRequiredArguments", "{ args { nonNull(value: 1) withDefault } }"),
  RuleCase(
    "ProvidedRequiredArguments", "{ args { nonNull two(second: 1) } dog { name @include } }",
    "1:10 The argument \"value\" of type \"Int!\" is required on field \"nonNull\", but was not given.",
    "1:18 The argument \"first\" of type \"Int!\" is required on field \"two\", but was not given.",
    "1:46 The argument \"if\" of type \"Boolean!\" is required on directive \"@include\", but was not given."),
]

private let fragmentCases: [RuleCase] = [
  RuleCase("FragmentsOnCompositeTypes", "{ pet { ...F ... on Dog { barks } } } fragment F on Pet { name }"),
  RuleCase(
    "FragmentsOnCompositeTypes", "{ dog { ...F ... on Command { a } } } fragment F on Stamp { a }",
    "1:21 A fragment cannot apply to \"Command\", which has no fields to select.",
    "1:53 The fragment \"F\" cannot apply to \"Stamp\", which has no fields to select."),
  RuleCase("UniqueFragmentNames", "{ dog { ...A ...B } } fragment A on Dog { name } fragment B on Dog { name }"),
  RuleCase(
    "UniqueFragmentNames", "{ dog { ...A } } fragment A on Dog { name } fragment A on Dog { nickname }",
    "1:27 1:54 There is more than one fragment named \"A\"."),
  RuleCase("KnownFragmentNames", "{ dog { ...A } } fragment A on Dog { name }"),
  RuleCase("KnownFragmentNames", "{ dog { ...A } }", "1:12 Unknown fragment \"A\"."),
  RuleCase("NoUnusedFragments", "{ dog { ...A } } fragment A on Dog { ...B } fragment B on Dog { name }"),
  RuleCase(
    "NoUnusedFragments", "{ dog { name } } fragment A on Dog { ...B } fragment B on Dog { name }",
    "1:18 The fragment \"A\" is never used.", "1:45 The fragment \"B\" is never used."),
  RuleCase("NoFragmentCycles", "{ dog { ...A ...B } } fragment A on Dog { ...B } fragment B on Dog { name }"),
  RuleCase(
    "NoFragmentCycles", "{ dog { ...A } } fragment A on Dog { mother { ...A } }",
    "1:47 The fragment \"A\" spreads itself."),
  RuleCase(
    "NoFragmentCycles", "{ dog { ...A } } fragment A on Dog { ...B } fragment B on Dog { mother { ...A } }",
    "1:38 1:74 The fragment \"A\" spreads itself via \"B\"."),
  RuleCase(
    "PossibleFragmentSpreads",
    "{ pet { ... on Dog { barks } ... on Intelligent { iq } } catOrDog { ...F } } fragment F on Pet { name }"),
  RuleCase(
    "PossibleFragmentSpreads",
    "{ dog { ... on Cat { meows } ...F } cat { ... on Intelligent { iq } } } fragment F on Human { name }",
    "1:9 A fragment on \"Cat\" cannot apply here: no \"Dog\" is one.",
    "1:30 The fragment \"F\" on \"Human\" cannot apply here: no \"Dog\" is one.",
    "1:43 A fragment on \"Intelligent\" cannot apply here: no \"Cat\" is one."),
]

private let valueCases: [RuleCase] = [
  RuleCase(
    "ValuesOfCorrectType",
    "{ args { int(value: null) float(value: 1) id(value: 7) strings(value: \"one\") list(value: [1, 2]) stamp(value: {a: [1]}) command(value: SIT) complex(value: {required: true, inner: {required: false, list: [null]}}) one(value: {a: 1}) boolean(value: false) } }"
  ),
  RuleCase(
    "ValuesOfCorrectType", "{ args { int(value: \"1\") nonNull(value: null) float(value: true) id(value: 1.5) } }",
    "1:21 Expected a value of type \"Int\", found \"1\".", "1:41 Expected a value of type \"Int!\", found null.",
    "1:60 Expected a value of type \"Float\", found true.", "1:76 Expected a value of type \"ID\", found 1.5."),
  RuleCase(
    "ValuesOfCorrectType", "{ args { int(value: 3000000000) } }",
    "1:21 Expected a value of type \"Int\", found 3000000000. An Int has 32 bits."),
  RuleCase(
    "ValuesOfCorrectType", "{ args { strings(value: [\"a\", 2]) list(value: [null]) boolean(value: BOTH) } }",
    "1:31 Expected a value of type \"String\", found 2.", "1:48 Expected a value of type \"Int!\", found null.",
    "1:70 Expected a value of type \"Boolean\", found BOTH."),
  RuleCase(
    "ValuesOfCorrectType", "{ args { command(value: SAT) } dog { doesKnowCommand(command: \"SIT\") } }",
    "1:25 The enumeration \"Command\" has no value \"SAT\". Did you mean the value \"SIT\"?",
    "1:63 Expected a value of the enumeration \"Command\", found \"SIT\". Did you mean the value \"SIT\"?"),
  RuleCase(
    "ValuesOfCorrectType", "{ args { complex(value: {int: \"a\", strnig: 1}) a: complex(value: 3) } }",
    "1:25 The field \"Complex.required\" of type \"Boolean!\" is missing.",
    "1:31 Expected a value of type \"Int\", found \"a\".",
    "1:36 The field \"strnig\" is not defined by type \"Complex\". Did you mean \"string\"?",
    "1:66 Expected a value of type \"Complex\", found 3."),
  RuleCase(
    "ValuesOfCorrectType", "{ args { one(value: {a: 1, b: \"b\"}) b: one(value: {a: null}) c: one(value: {}) } }",
    "1:21 The input \"One\" takes exactly one field.", "1:51 The field \"One.a\" must not be null.",
    "1:76 The input \"One\" takes exactly one field."),
  RuleCase(
    "ValuesOfCorrectType", "query ($a: Int = \"1\", $b: Int! = null) { args { int(value: $a) nonNull(value: $b) } }",
    "1:18 Expected a value of type \"Int\", found \"1\".", "1:34 Expected a value of type \"Int!\", found null."),
  RuleCase("UniqueInputFieldNames", "{ args { complex(value: {required: true, inner: {required: true}}) } }"),
  RuleCase(
    "UniqueInputFieldNames", "{ args { complex(value: {required: true, required: false}) } }",
    "1:26 1:42 There is more than one input field named \"required\"."),
]

private let variableCases: [RuleCase] = [
  RuleCase("VariablesAreInputTypes", "query ($c: Complex) { args { complex(value: $c) } }"),
  RuleCase(
    "VariablesAreInputTypes", "query ($d: [Dog!]) { args { int(value: $d) } }",
    "1:8 1:40 The variable \"$d\" of type \"[Dog!]\" cannot stand where \"Int\" is expected.",
    "1:13 The variable \"$d\" cannot have the output type \"[Dog!]\"."),
  RuleCase(
    "UniqueVariableNames", "query ($a: Int, $b: Int) { args { two(first: $a, second: $b) } }",
    "1:8 1:46 The variable \"$a\" of type \"Int\" cannot stand where \"Int!\" is expected.",
    "1:17 1:58 The variable \"$b\" of type \"Int\" cannot stand where \"Int!\" is expected."),
  RuleCase("UniqueVariableNames", "query ($a: Int!, $b: Int!) { args { two(first: $a, second: $b) } }"),
  RuleCase(
    "UniqueVariableNames", "query ($a: Int, $a: Int) { args { int(value: $a) } }",
    "1:9 1:18 There is more than one variable named \"$a\"."),
  RuleCase(
    "NoUndefinedVariables", "query ($a: Int) { args { ...F } } fragment F on Arguments { int(value: $a) }"),
  RuleCase(
    "NoUndefinedVariables", "query Q { args { ...F } } fragment F on Arguments { int(value: $a) }",
    "1:64 1:1 The variable \"$a\" is not defined by operation \"Q\"."),
  RuleCase("NoUnusedVariables", "query ($a: Boolean!) { dog { name @skip(if: $a) } }"),
  RuleCase(
    "NoUnusedVariables", "query Q($a: Int, $b: Int) { args { int(value: $b) } }",
    "1:9 The variable \"$a\" is never used in operation \"Q\"."),
  RuleCase(
    "VariablesInAllowedPosition",
    "query ($a: Int = 1, $b: Int!, $c: [Int!], $d: Int, $e: Int!) { args { nonNull(value: $a) int(value: $b) list(value: $c) withDefault(value: $d) one(value: {a: $e}) } }"
  ),
  RuleCase(
    "VariablesInAllowedPosition",
    "query ($a: Int, $b: String, $c: [Int]) { args { nonNull(value: $a) int(value: $b) list(value: $c) } }",
    "1:8 1:64 The variable \"$a\" of type \"Int\" cannot stand where \"Int!\" is expected.",
    "1:17 1:79 The variable \"$b\" of type \"String\" cannot stand where \"Int\" is expected.",
    "1:29 1:95 The variable \"$c\" of type \"[Int]\" cannot stand where \"[Int!]\" is expected."),
  RuleCase(
    "VariablesInAllowedPosition", "query ($a: Int) { args { one(value: {a: $a}) } }",
    "1:8 1:41 The variable \"$a\" of type \"Int\" must be without null to stand in the input \"One\"."),
]

private let mergingCases: [RuleCase] = [
  RuleCase(
    "OverlappingFieldsCanBeMerged",
    "{ dog { name name a: isAtLocation(x: 1, y: 2) a: isAtLocation(y: 2, x: 1) mother { name } mother { barks } } }"),
  RuleCase(
    "OverlappingFieldsCanBeMerged",
    "{ pet { ... on Dog { a: nickname } ... on Cat { a: name } } }"),
  RuleCase(
    "OverlappingFieldsCanBeMerged", "{ dog { a: name a: nickname } }",
    "1:9 1:17 Fields \"dog.a\" conflict because \"name\" and \"nickname\" are different fields. Use different aliases to fetch both."
  ),
  RuleCase(
    "OverlappingFieldsCanBeMerged", "{ dog { isAtLocation(x: 1) isAtLocation(x: 2) } }",
    "1:9 1:28 Fields \"dog.isAtLocation\" conflict because they have different arguments. Use different aliases to fetch both."
  ),
  RuleCase(
    "OverlappingFieldsCanBeMerged", "{ pet { ... on Dog { barkVolume } ... on Cat { barkVolume } } }",
    "1:22 1:48 Fields \"pet.barkVolume\" conflict because they have the conflicting types \"Int\" and \"String\". Use different aliases to fetch both."
  ),
  RuleCase(
    "OverlappingFieldsCanBeMerged", "{ dog { mother { a: name } ...F } } fragment F on Dog { mother { a: nickname } }",
    "1:18 1:66 Fields \"dog.mother.a\" conflict because \"name\" and \"nickname\" are different fields. Use different aliases to fetch both."
  ),
  RuleCase(
    "OverlappingFieldsCanBeMerged", "{ pet { ... on Dog { mother { a: name } } ... on Cat { mother { a: meows } } } }",
    "1:31 1:65 Fields \"pet.mother.a\" conflict because they have the conflicting types \"String\" and \"Boolean!\". Use different aliases to fetch both."
  ),
  RuleCase(
    "MaxIntrospectionDepth",
    "{ __schema { types { fields { type { ofType { ofType { name } } } } } } __type(name: \"Dog\") { fields { type { fields { name } } } } }"
  ),
  RuleCase(
    "MaxIntrospectionDepth",
    "{ __schema { types { fields { type { ...F } } } } } fragment F on __Type { interfaces { possibleTypes { name } } }",
    "1:3 Introspection is nested too deep."),
  RuleCase(
    "KnownOperationTypes", "{ dog { name } } subscription { other }",
    "1:1 An operation without a name must be the only operation of its document.",
    "1:18 An operation without a name must be the only operation of its document."),
]
