"""Compares verdicts and responses of our GraphQL with graphql-core's.

Reads the cases that graphql-peer writes, one JSON object per line, from standard input. Resolvers are invented from
hashes in both implementations, so equal requests have equal answers, failures included.
"""

import dataclasses
import json
import math
import sys

import graphql
from graphql.error import GraphQLError


def fnv(text):
    value = 2166136261
    for byte in text.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def canonical(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value == math.floor(value) else repr(value)
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return "{" + ",".join(f"{key}:{canonical(value[key])}" for key in sorted(value)) + "}"


class Invented:
    def __init__(self, type_name, number):
        self.type_name, self.number = type_name, number


def invent(schema, type_, seed):
    if seed % 23 == 0:
        raise GraphQLError(f"invented failure {seed % 1000}")
    non_null = graphql.is_non_null_type(type_)
    if seed % (29 if non_null else 9) == 0:
        return None
    type_ = type_.of_type if non_null else type_
    if graphql.is_list_type(type_):
        elements = []
        for index in range(seed % 4):
            try:
                elements.append(invent(schema, type_.of_type, fnv(f"{seed}/{index}")))
            except GraphQLError as error:
                elements.append(error)
        return elements
    if graphql.is_enum_type(type_):
        return list(type_.values)[seed % len(type_.values)]
    if graphql.is_object_type(type_):
        return Invented(type_.name, seed % 100_000)
    if graphql.is_abstract_type(type_):
        possible = sorted(t.name for t in schema.get_possible_types(type_))
        return Invented(possible[seed % len(possible)], seed % 100_000) if possible else None
    match type_.name:
        case "Int":
            return seed % 1000 - 500
        case "Float":
            return (seed % 1000) / 4
        case "Boolean":
            return seed % 2 == 0
    return f"s{seed % 1000}"


def resolve(source, info, **arguments):
    place = f"{info.parent_type.name}.{info.field_name}"
    seed = fnv(f"{place}|{source.number}|{canonical(arguments)}")
    return invent(info.schema, info.return_type, seed)


def schema_of(case):
    schema = graphql.build_schema(case["schema"])
    client = graphql.build_client_schema(case["introspection"]["data"])
    left, right = (graphql.print_schema(graphql.lexicographic_sort_schema(s)) for s in (schema, client))
    assert left == right, f"the introspection shows another schema:\n{left}\n---\n{right}"
    for type_ in schema.type_map.values():
        if graphql.is_abstract_type(type_):
            type_.resolve_type = lambda value, _info, _type: value.type_name
    return schema


def run(schema, document, variables):
    operation = next(d for d in document.definitions if d.kind == "operation_definition")
    root = schema.get_root_type(operation.operation)
    if operation.operation.value == "subscription":
        query = dataclasses.replace(operation, operation=graphql.OperationType.QUERY)
        definitions = tuple(query if d is operation else d for d in document.definitions)
        document = dataclasses.replace(document, definitions=definitions)
        schema = graphql.GraphQLSchema(**{**schema.to_kwargs(), "query": root, "subscription": None})
    return graphql.execute(schema, document, Invented(root.name, 1), variable_values=variables, field_resolver=resolve)


def signature(errors):
    return sorted(
        json.dumps([e.get("path"), e.get("locations"), e["message"] if "invented" in e["message"] else None])
        for e in errors
    )


def main():
    counts = dict(schemas=0, valid=0, broken=0, executed=0, refused=0, failing=0, different=0)
    schema = None

    def differ(case, what):
        counts["different"] += 1
        if counts["different"] <= 5:
            print(f"different: {what}\n{case['document']}\n{json.dumps(case['variables'])}", file=sys.stderr)
            print(f"  ours: {case.get('errors')} {case.get('refused')}", file=sys.stderr)
            print(f"  {graphql.print_schema(schema)}", file=sys.stderr)

    for line in sys.stdin:
        case = json.loads(line)
        if "schema" in case:
            schema = schema_of(case)
            counts["schemas"] += 1
            continue
        try:
            document = graphql.parse(case["document"])
            errors = graphql.validate(schema, document)
        except GraphQLError as error:
            errors = [error]
        counts["broken" if errors else "valid"] += 1
        if bool(errors) != bool(case["errors"]):
            differ(case, f"graphql-core says {errors}")
            continue
        if errors:
            continue
        result = run(schema, document, case["variables"]).formatted
        # A request that was refused has no data, and errors without a path.
        is_refused = result["data"] is None and not any("path" in error for error in result["errors"])
        if is_refused or "refused" in case:
            counts["refused"] += 1
            if is_refused != ("refused" in case):
                differ(case, f"graphql-core says {result}")
            continue
        counts["executed"] += 1
        counts["failing"] += bool(result.get("errors"))
        ours = case["response"]
        same_data = json.dumps(ours["data"]) == json.dumps(result["data"])
        if not same_data or signature(ours.get("errors", [])) != signature(result.get("errors", [])):
            differ(case, f"graphql-core answers {json.dumps(result)}\n  ours {json.dumps(ours)}")
    print("graphql-core " + graphql.version + ": " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    sys.exit(1 if counts["different"] else 0)


main()
