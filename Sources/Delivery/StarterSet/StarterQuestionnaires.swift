import Database
import HTTP
import Instruments
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// The starter content of a new clinic: the shipped questionnaires, in our own words, and a battery of two of them.
package enum StarterQuestionnaires {
    package static let keys = [
        DailyPlan.questionnaireKey, "between-sessions", "wellbeing-5", "tinnitus-moment",
    ]
    /// For clinics that treat tinnitus, added by a button of its own.
    package static let tinnitusKeys = [
        "tinnitus-moment", "tinnitus-person", "tinnitus-history", "tinnitus-hearing", "tinnitus-profile",
    ]
    /// The name of the five in that button's form, and in a call.
    package static let tinnitus = "tinnitus"
    package static let batteryKeys = ["between-sessions", "wellbeing-5"]

    package enum State: String, Sendable, CaseIterable {
        case missing
        /// Published and in use.
        case taken
        /// Retired on purpose: only its own button brings it back.
        case archived
    }

    package struct Piece: Sendable {
        package let key: String
        package let state: State
        package let title: String
    }

    package struct Standing: Sendable {
        package let pieces: [Piece]
        package let hasBattery: Bool

        /// Whether the button of the set would add anything.
        package var isOpen: Bool { !hasBattery || pieces.contains { $0.state == .missing } }
        package var isDailyMissing: Bool { pieces.first?.state != .taken }
    }

    /// The state of every part.
    package static func standing<P>(_ c: Context<P>, _ connection: borrowing Connection) throws -> Standing {
        Standing(pieces: try pieces(keys, c, connection), hasBattery: try hasBattery(connection))
    }

    package static func pieces<P>(
        _ keys: [String], _ c: Context<P>, _ connection: borrowing Connection
    ) throws -> [Piece] {
        try keys.map { key in
            let found = try QuestionnaireStore.newest(key, c.services.questionnaires, connection)
            return Piece(
                key: key, state: try state(key, connection),
                title: try found?.title(c.language) ?? title(key, c))
        }
    }

    /// The five about tinnitus, as far as they are missing.
    static func kits(_ c: Context<Member>, _ connection: borrowing Connection) throws -> [StarterKit] {
        let missing = try pieces(tinnitusKeys, c, connection).filter { $0.state == .missing }
        if missing.isEmpty { return [] }
        let titles = missing.map { c.texts["rules.quoted", ["text": $0.title]] }.joined(separator: ", ")
        return [
            StarterKit(
                title: c.texts["starter.tinnitus"],
                text: c.texts["starter.tinnitus_text", ["titles": titles]],
                path: "/questionnaires/starter-set", only: tinnitus)
        ]
    }

    /// Whether the questionnaire of dailies is missing.
    package static func isDailyMissing(_ connection: borrowing Connection) throws -> Bool {
        try state(DailyPlan.questionnaireKey, connection) != .taken
    }

    private static func state(_ key: String, _ connection: borrowing Connection) throws -> State {
        let versions = try QuestionnaireStore.versions(key, connection)
        if versions.isEmpty { return .missing }
        return versions.contains { $0.retiredAt == nil } ? .taken : .archived
    }

    private static func hasBattery(_ connection: borrowing Connection) throws -> Bool {
        try BatteryStore.all(connection).contains { $0.keys == batteryKeys }
    }

    private static func title<P>(_ key: String, _ c: Context<P>) throws -> String {
        let title = try file(key, c.services).definition.title
        return title.text(in: c.languages) ?? key
    }

    private static func file(_ key: String, _ services: Services) throws -> QuestionnaireFiles.Read {
        try QuestionnaireFiles.shipped(key, services)
    }

    /// Adds the missing parts; existing ones stay unchanged, so repeating it does nothing.
    /// - Parameters:
    ///   - only: one of the questionnaires, even a retired one, or those about tinnitus; nil for the set.
    ///   - isMoreOpen: whether a part is missing that this target does not know.
    ///   - also: adds that in the same transaction.
    /// - Throws: `Problem.notFound` for a questionnaire outside of the set.
    package static func take(
        only: String?, isMoreOpen: Bool, _ c: Context<Member>,
        also: @escaping @Sendable (borrowing Connection) throws -> Void
    ) throws {
        let wanted = only.map { $0 == tinnitus ? tinnitusKeys : [$0] } ?? keys
        guard Set(wanted).isSubset(of: keys + tinnitusKeys) else { throw Problem.notFound }
        let bringsBack = only != nil && only != tinnitus
        let files = try wanted.map {
            (id: c.newID() as ID<QuestionnaireVersion>, file: try file($0, c.services))
        }
        let battery: ID<Battery> = c.newID()
        let name = c.texts["starter.battery_name"]
        let isOpen = try c.read { connection in
            if only != nil {
                let states = try wanted.map { try state($0, connection) }
                return states.contains { $0 == .missing || bringsBack && $0 == .archived }
            }
            return try isMoreOpen || standing(c, connection).isOpen
        }
        guard isOpen else { return }
        try c.write(.starterSetTaken, object: only) { [now = c.now] connection in
            for (id, file) in files {
                let key = file.definition.key
                switch try state(key, connection) {
                case .taken: continue
                case .archived:
                    if bringsBack { try QuestionnaireStore.retire(key, at: nil, connection) }
                case .missing:
                    _ = try QuestionnaireStore.insert(file.json, file.definition, id: id, at: now, connection)
                    var card = InstrumentCard()
                    card.licence = .own
                    card.source = file.definition.origin
                    try InstrumentStore.save(card, of: key, connection)
                }
            }
            if only == nil, try !hasBattery(connection) {
                try addBattery(battery, name, at: now, connection)
            }
            if only == nil { try also(connection) }
        }
        // At once instead of at the next full hour: the person expects the result now.
        try DailyPlanning.run(c.services)
    }

    /// With a name that no other battery has.
    private static func addBattery(
        _ id: ID<Battery>, _ name: String, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let names = Set(try BatteryStore.all(connection).map(\.name))
        let free = ([name] + (2...99).map { "\(name) \($0)" }).first { !names.contains($0) } ?? id.text
        let fields = [Form.Field("name", free)] + batteryKeys.map { Form.Field("questionnaire_key", $0) }
        let draft = try BatteryDraft.read(form: Form(fields), known: Set(batteryKeys))
        try BatteryStore.save(draft, id: id, at: now, connection)
    }
}

extension AuditAction {
    static let starterSetTaken = AuditAction(name: "starter_set.taken")
}
