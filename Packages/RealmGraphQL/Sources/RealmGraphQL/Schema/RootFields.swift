/// The question of a root field.
enum QueryField: Sendable {
  case objects(ClassModel)
  case object(ClassModel)
  case subscriptions
}

/// The effect of a root field of a mutation.
enum MutationField: Sendable {
  case create(ClassModel)
  case createMany(ClassModel)
  case edit(ClassModel)
  case delete(ClassModel)
  case deleteMany(ClassModel)
  case subscribe(ClassModel)
  case unsubscribe
}

/// The object of a root field of a subscription.
enum SubscriptionField: Sendable {
  case objects(ClassModel)
  case changes(ClassModel)
}

/// The root fields by name.
struct RootFields: Sendable {
  private(set) var queries: [(name: String, field: QueryField)] = []
  private(set) var mutations: [(name: String, field: MutationField)] = []
  private(set) var subscriptions: [(name: String, field: SubscriptionField)] = []
  private(set) var query: [String: QueryField] = [:]
  private(set) var mutation: [String: MutationField] = [:]
  private(set) var subscription: [String: SubscriptionField] = [:]

  init(_ model: RealmModel) {
    var mutationNames = NameTable()
    var subscriptionNames = NameTable(reserved: Set(model.classes.map(\.plural)))
    for type in model.classes where type.isTopLevel {
      queries.append((type.plural, .objects(type)))
      queries.append((type.singular, .object(type)))
      let name = type.typeName
      mutations += [
        (mutationNames.take("create\(name)"), .create(type)), (mutationNames.take("create\(name)s"), .createMany(type)),
        (mutationNames.take("edit\(name)"), .edit(type)), (mutationNames.take("delete\(name)"), .delete(type)),
        (mutationNames.take("delete\(name)s"), .deleteMany(type)),
      ].filter { if case .edit = $0.1 { type.hasEdits } else { true } }
      subscriptions.append((type.plural, .objects(type)))
      subscriptions.append((subscriptionNames.take(type.plural + "Changes"), .changes(type)))
      if model.options.isQueryBased {
        mutations.append((mutationNames.take("create\(name)Subscription"), .subscribe(type)))
      }
    }
    if model.options.isQueryBased {
      queries.append(("queryBasedSubscriptions", .subscriptions))
      mutations.append((mutationNames.take("deleteQueryBasedSubscription"), .unsubscribe))
    }
    query = Dictionary(queries.map { ($0.name, $0.field) }, uniquingKeysWith: { first, _ in first })
    mutation = Dictionary(mutations.map { ($0.name, $0.field) }, uniquingKeysWith: { first, _ in first })
    subscription = Dictionary(subscriptions.map { ($0.name, $0.field) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ClassModel {
  /// Whether objects have collections, which are edited one by one.
  var hasEdits: Bool { fields.contains { $0.isEditable } }
}

extension FieldModel {
  /// Whether the field is a collection that can be edited.
  var isEditable: Bool { property.collection != .single && property.type != .linkingObjects }
}
