import Accounts
import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// A therapist's covers, given and taken on (PR-20).
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
        let absences: [AbsencePages.Row]
        let given: [Given]
        let received: [Received]
        let fields: [FieldView]
        let whom: String
        let isForAll: Bool
        let whomError: String?
        let patients: [Box]
        let access: [FieldView]
        let standings: StandingsTable
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            let today = c.dates.today
            switch fields.form[colleague] {
            case nil, "", without:
                let draft = try AbsenceDraft.read(
                    form: fields, isWithoutCover: fields.form[colleague] == without, today: today)
                _ = try AbsenceActions.make(draft, c)
                return .seeOther("/covers", flash: Message("absences.made"))
            default:
                _ = try CoverActions.make(
                    try CoverDraft.read(form: fields.form, today: today), withAbsence: true, c)
                return .seeOther("/covers", flash: Message("covers.made"))
            }
        }
    }

    @Sendable static func end(_ c: Context<Member>) throws -> Reply {
        try CoverActions.end(try c.id("cover"), c)
        return .seeOther("/covers", flash: Message("covers.ended"))
    }

    /// The field of the colleague, and its value for being away without cover.
    private static let colleague = "colleague_email"
    private static let without = "none"

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Show {
        let texts = c.texts
        let query = c.request.query
        let reader = c.proof.account
        let email = try Colleagues.field(
            colleague, in: filled, but: reader.id, besides: (without, texts["absences.without"]), c)
        let from = filled.field(
            "from", .date, label: "covers.from", first: query["from"] ?? c.dates.today.text,
            required: true)
        let until = filled.field(
            "until", .date, label: "covers.until", first: query["until"] ?? "", required: true)
        let access = filled.list(
            "access", label: "covers.access", first: "act",
            CoverRecord.Access.allCases.map { entry in
                (entry.rawValue, texts[entry == .read ? "covers.access_read" : "covers.access_act"])
            })
        let alias = filled.box(
            "shares_alias", label: "covers.shares_alias", hint: "covers.shares_alias_hint",
            isOn: filled.form.fields.isEmpty)
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
                absences: try AbsencePages.rows(c, connection),
                given: try SharingStore.covers(by: reader.id, connection).map {
                    try given($0, c, connection)
                },
                received: try SharingStore.covers(for: reader.id, notOverBy: c.now, connection).map {
                    try received($0, c, connection)
                },
                fields: [email, from, until], whom: texts["covers.whom_label"],
                isForAll: filled.form["whom"] != "named", whomError: error.map { texts[$0.message] },
                patients: boxes, access: [access, alias], standings: StandingsTable(texts),
                errors: filled.summary)
        }
    }

    private static func facts(_ cover: CoverRecord, _ whom: String, _ c: Context<Member>) -> String {
        let texts = c.texts
        let days = texts[
            "covers.days", ["from": c.dates.day(cover.startsOn), "until": c.dates.day(cover.endsOn)]]
        let access = cover.access == .read ? texts["covers.access_read"] : texts["covers.access_act"]
        let alias = cover.sharesAlias ? texts["covers.with_alias"] : nil
        return [days, whom, access, alias].compactMap(\.self).joined(separator: " · ")
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
            id: cover.id, title: try TherapistStore.name(of: cover.colleagueID, c.keys, connection),
            facts: facts(cover, whom, c), state: state, tone: tone, canEnd: !cover.isOver(at: c.now))
    }

    private static func received(
        _ cover: CoverRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Show.Received {
        let patients = try SharingStore.patients(of: cover, connection)
        let isOn = cover.isOn(at: c.now)
        return Show.Received(
            title: try TherapistStore.name(of: cover.therapistID, c.keys, connection),
            facts: facts(cover, c.texts.count("covers.people", patients.count), c),
            patients: patients.map {
                Show.Line(codename: $0.codename, path: isOn ? $0.path : nil)
            })
    }
}
