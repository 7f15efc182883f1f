import Database
import HTTP
import Records
import Studies
import Web
import Wire
import Wording

/// Protocols in the portal: the list, the editor, choosing a default.
package enum ProtocolPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/protocols", .staff, index)
        routes.page(.get, "/protocols/new", .staff, new)
        routes.page(.post, "/protocols/new", .staff, create)
        routes.page(.get, "/protocols/:protocol", .staff, edit)
        routes.page(.post, "/protocols/:protocol", .staff, update)
        routes.page(.post, "/protocols/:protocol/default", .staff, setDefault)
        ProtocolRemovalPages.routes(&routes)
    }

    package struct Index: Page {
        package static let template = "protocols/index"
        package static let section: NavigationItem? = nil
        package struct Row: Encodable, Sendable {
            package let id: ID<TreatmentProtocol>
            package let name: String
            package let scope: String
            package let content: String
            package let uses: String
            package let isDefault: Bool
            package let mayBeDefault: Bool
        }
        package let rows: [Row]
        package let mayMake: Bool
    }

    /// A protocol that may be read and chosen, but not changed.
    package struct Show: Page {
        package static let template = "protocols/show"
        package static let section: NavigationItem? = nil
        package let name: String
        package let entries: [ProtocolLine]
        package let isEmpty: Bool

        package static let example = Show(
            name: "Standard", entries: [ProtocolLine(what: "ISF-K", when: "vor jeder Sitzung")],
            isEmpty: false)
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let page = try c.read { connection in
            let reader = try ProtocolReader(c, connection)
            let standard = try ProtocolStore.standard(of: reader.account, connection)
            let rows = try ProtocolStore.all(connection).filter(reader.mayRead).map { record in
                let uses = try PutProtocolStore.all(of: record.id, connection)
                let behind = uses.count { $0.revision < record.revision }
                var words = c.texts.count("protocols.uses", uses.count)
                if behind > 0 { words += ", " + c.texts.count("protocols.behind", behind) }
                return Index.Row(
                    id: record.id, name: record.name, scope: try scope(of: record, by: reader, c, connection),
                    content: content(record.definition, c.texts), uses: words,
                    isDefault: standard == record.id, mayBeDefault: reader.mayChoose(record))
            }
            return Index(rows: rows, mayMake: !reader.scopes.isEmpty)
        }
        return .page(page)
    }

    private static func scope(
        of record: ProtocolRecord, by reader: ProtocolReader, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> String {
        let texts = c.texts
        let whole = texts[
            "protocols.scope_\(record.scope.rawValue)", ["title": reader.title(of: record.studyID) ?? ""]]
        guard let study = record.studyID, !record.arms.isEmpty else { return whole }
        let words = try ArmWords(of: study, in: c.languages, texts, connection)
        let names = record.arms.map(words.name).joined(separator: ", ")
        return texts["protocols.scope_arm", ["study": whole, "arm": names]]
    }

    private static func content(_ definition: ProtocolDefinition, _ texts: Texts) -> String {
        var parts: [String] = []
        let counts = [
            ("asked", definition.asked.count), ("rules", definition.rules.count),
            ("interventions", definition.interventions.count),
        ]
        for (name, count) in counts where count > 0 {
            parts.append(texts.count("protocols.content_\(name)", count))
        }
        if let dailies = definition.dailies {
            parts.append(texts["protocols.content_dailies_\(dailies ? "on" : "off")"])
        }
        return parts.isEmpty ? texts["protocols.empty_protocol"] : parts.joined(separator: " · ")
    }

    // MARK: The editor

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        let page = try c.read { connection in
            let reader = try ProtocolReader(c, connection)
            // A link from a study's page preselects its protocol.
            let asked = c.request.query["study"].flatMap { ID<Study>(uuid: $0) }
            let form: Form = asked.map { ["scope": "study:\($0)"] } ?? Form()
            let filled = FormState(form, FieldErrors(), c.texts)
            return try ProtocolEditor(c, filled, reader).page(nil, rows: (1, 1), connection)
        }
        return .page(page)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let sent = ProtocolForm(try c.form())
        if let more = try more(sent, nil, c) { return more }
        return try c.submit(sent.form, orShow: { try drawn(sent, nil, $0, c) }) { _ in
            let draft = try ProtocolDraft.read(InputReader(json: sent.json, hasTypedNumbers: true))
            _ = try ProtocolActions.make(draft, c)
            return .seeOther("/protocols", flash: Message("protocols.saved"))
        }
    }

    @Sendable static func edit(_ c: Context<Member>) throws -> Reply {
        let (record, reader) = try ProtocolActions.found(c)
        guard reader.mayChange(record) else { return .page(try show(record, c)) }
        let sent = ProtocolForm(ProtocolForm.form(of: record, c.texts))
        return .page(try drawn(sent, record, FormState(sent.form, FieldErrors(), c.texts), c))
    }

    private static func show(_ record: ProtocolRecord, _ c: Context<Member>) throws -> Show {
        let entries = try c.read { try ProtocolLines.all(record.definition, c, $0) }
        return Show(name: record.name, entries: entries, isEmpty: entries.isEmpty)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let record = try ProtocolActions.changeable(c)
        let sent = ProtocolForm(try c.form())
        if let more = try more(sent, record, c) { return more }
        return try c.submit(
            sent.form, orShow: { try drawn(sent, record, $0, c) },
            stale: { try drawn(sent, try ProtocolActions.changeable(c), $0, c) }
        ) { _ in
            // The form is the whole of it: nothing of the old protocol stays behind what was emptied.
            let draft = try ProtocolDraft.read(
                InputReader(json: sent.json, hasTypedNumbers: true), over: record)
            try ProtocolActions.change(record, to: draft, c)
            return .seeOther("/protocols", flash: Message("protocols.saved"))
        }
    }

    /// Another row, with all input; nothing is saved. Nil for any other button.
    private static func more(
        _ sent: ProtocolForm, _ record: ProtocolRecord?, _ c: Context<Member>
    ) throws -> Reply? {
        guard let more = sent.form["more"] else { return nil }
        let filled = FormState(sent.form, FieldErrors(), c.texts)
        return .page(try drawn(sent, record, filled, c, more: more))
    }

    private static func drawn(
        _ sent: ProtocolForm, _ record: ProtocolRecord?, _ filled: FormState, _ c: Context<Member>,
        more: String? = nil
    ) throws -> ProtocolEdit {
        var filled = filled.moving(ProtocolForm.folded)
        if filled.isStale, let record { filled = filled.beside(ProtocolForm.form(of: record, c.texts)) }
        // An empty row to go on with, unless the form is full of mistakes already.
        let plan = min(ProtocolDefinition.planLimit, sent.planCount + (more == "plan" ? 2 : 1))
        let interventions = min(
            ProtocolDefinition.interventionLimit,
            sent.interventionCount + (more == "interventions" ? 2 : 1))
        return try c.read { connection in
            try ProtocolEditor(c, filled, try ProtocolReader(c, connection)).page(
                record, rows: (plan, interventions), connection)
        }
    }

    @Sendable static func setDefault(_ c: Context<Member>) throws -> Reply {
        let record = try ProtocolActions.found(c).record
        let fields = InputReader(form: try c.form())
        let isDefault = fields.bool("is_default") ?? false
        try fields.finish()
        try ProtocolActions.setDefault(record, isDefault, c)
        return .seeOther(
            "/protocols", flash: Message(isDefault ? "protocols.default_set" : "protocols.default_given_up"))
    }
}
