import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Who stands in for a therapist, and whom they stand in for (PR-20).
package enum CoverPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/covers", .therapist, show)
        routes.page(.post, "/covers", .therapist, create)
        routes.page(.post, "/covers/:cover/end", .therapist, end)
    }

    package struct Show: Page {
        package static let template = "sharing/covers"
        package static let section: NavigationItem? = .appointments
        struct Given: Encodable, Sendable {
            let id: ID<CoverRecord>
            let title: String
            let facts: String
            let state: String
            let tone: String
            let canEnd: Bool
        }
        struct Received: Encodable, Sendable {
            let title: String
            let facts: String
            let patients: [Line]
        }
        struct Line: Encodable, Sendable {
            let codename: String
            /// Nil before its first day.
            let path: String?
        }
        struct Box: Encodable, Sendable {
            let value: ID<Therapy>
            let codename: String
            let alias: String?
            let isChosen: Bool
        }
        let given: [Given]
        let received: [Received]
        let fields: [FieldView]
        let whom: String
        let isForAll: Bool
        let whomError: String?
        let patients: [Box]
        let access: [FieldView]
        package let errors: ErrorSummary?

        package static let example = Show(
            given: [
                Given(
                    id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Mag. Ben Steiner",
                    facts: "21.12.2026 bis 6.1.2027 · alle laufenden Therapien · lesen", state: "ab 21.12.",
                    tone: "accent", canEnd: true)
            ],
            received: [
                Received(
                    title: "Dr. Ada Lindner", facts: "bis 27.11.2026 · lesen",
                    patients: [Line(codename: "C020480", path: "/patients")])
            ], fields: [FieldView(name: "colleague_email", label: "E-Mail-Adresse", type: "email")],
            whom: "Für wen", isForAll: true, whomError: nil,
            patients: [
                Box(
                    value: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", alias: "Frau Winter",
                    isChosen: false)
            ], access: [], errors: nil)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            _ = try CoverActions.make(try CoverDraft.read(form: form, today: c.dates.today), c)
            return .seeOther("/covers", flash: Message("covers.made"))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func end(_ c: Context<Member>) throws -> Reply {
        try CoverActions.end(try c.id("cover"), c)
        return .seeOther("/covers", flash: Message("covers.ended"))
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Show {
        let texts = c.texts
        let reader = c.proof.account
        var email = filled.field("colleague_email", label: "covers.colleague")
        (email.type, email.isRequired, email.hint) = ("email", true, texts["covers.colleague_hint"])
        var from = filled.field("from", label: "covers.from", first: c.dates.today.text)
        (from.type, from.isRequired) = ("date", true)
        var until = filled.field("until", label: "covers.until")
        (until.type, until.isRequired) = ("date", true)
        var access = filled.field("access", label: "covers.access", first: "read")
        access.isSelect = true
        access.choices = CoverRecord.Access.allCases.map { entry in
            let label = entry == .read ? texts["covers.access_read"] : texts["covers.access_act"]
            return .init(value: entry.rawValue, label: label, isChosen: access.value == entry.rawValue)
        }
        filled.name("whom", texts["covers.whom_label"])
        let chosen = Set(filled.form.all("patient"))
        let error = filled.errors.list.first { $0.field == "whom" || $0.field.hasPrefix("patients") }
        return try c.read { connection in
            let own = try TherapyStore.caseload(of: reader.id, connection).filter { $0.endedAt == nil }
            let boxes = try own.sorted { $0.codename < $1.codename }.map { therapy in
                let name = try therapy.name(for: reader, c.keys)
                return Show.Box(
                    value: therapy.id, codename: name.codename, alias: name.alias,
                    isChosen: chosen.contains(therapy.id.text))
            }
            return Show(
                given: try SharingStore.covers(by: reader.id, connection).map {
                    try given($0, c, connection)
                },
                received: try SharingStore.covers(for: reader.id, notOverBy: c.now, connection).map {
                    try received($0, c, connection)
                },
                fields: [email, from, until], whom: texts["covers.whom_label"],
                isForAll: filled.form["whom"] != "named", whomError: error.map { texts[$0.message] },
                patients: boxes, access: [access], errors: filled.summary)
        }
    }

    private static func facts(_ cover: CoverRecord, _ whom: String, _ c: Context<Member>) -> String {
        let texts = c.texts
        let days = texts[
            "covers.days", ["from": c.dates.day(cover.startsOn), "until": c.dates.day(cover.endsOn)]]
        let access = cover.access == .read ? texts["covers.access_read"] : texts["covers.access_act"]
        return [days, whom, access].joined(separator: " · ")
    }

    private static func given(
        _ cover: CoverRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Given {
        let texts = c.texts
        let names = try SharingStore.patients(of: cover, connection).map(\.codename)
        let whom = cover.isForAll ? texts["covers.all"] : names.joined(separator: ", ")
        let (state, tone) =
            cover.isOver(at: c.now)
            ? (texts["covers.state_over"], "plain")
            : cover.isOn(at: c.now)
                ? (texts["covers.state_on"], "good") : (texts["covers.state_coming"], "accent")
        return Show.Given(
            id: cover.id, title: try Colleagues.name(cover.colleagueID, c, connection),
            facts: facts(cover, whom, c), state: state, tone: tone, canEnd: !cover.isOver(at: c.now))
    }

    private static func received(
        _ cover: CoverRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Received {
        let patients = try SharingStore.patients(of: cover, connection)
        let isOn = cover.isOn(at: c.now)
        return Show.Received(
            title: try Colleagues.name(cover.therapistID, c, connection),
            facts: facts(cover, c.texts.count("covers.people", patients.count), c),
            patients: patients.map {
                Show.Line(codename: $0.codename, path: isOn ? "/patients/\($0.id)" : nil)
            })
    }
}
