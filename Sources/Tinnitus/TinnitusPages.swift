import HTTP
import Identity
import Psychometrics
import Records
import Scheduling
import Web
import Wording

/// Matching a tinnitus in the browser, and the summary of the runs. A script does the matching; the results are shown
/// without one.
package enum TinnitusPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/tinnitus", .patient, show)
        routes.page(.post, "/my/tinnitus", .patient, keep)
    }

    package struct Show: Page {
        package static let template = "my/tinnitus"
        package static let section: NavigationItem? = .more

        package let matches: MatchesView
        let form: MatchForm
        /// `3. von 5 vorgeschlagenen Durchgängen`.
        let next: String
        /// Where a notch would lie; nil before there are enough runs.
        let notch: String?
        let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func keep(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page($0, c) }) { fields in
            guard let id = ID<MatchRecord>(uuid: fields.form["id"]) else {
                throw Problem.invalid("id", "errors.id")
            }
            let draft = try MatchDraft.read(fields, now: c.now)
            _ = try MatchAPI.keep(draft.match, id, c)
            return .seeOther("/my/tinnitus", flash: Message("tinnitus.kept"))
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Show {
        let account = c.proof.account
        let records = try c.read { try MatchStore.all(of: account.id, $0) }
        let summary = MatchSummary(records.map(\.frequencyHz))
        let matches = try MatchesView(
            records, try account.key(c.keys), c.texts, c.dates(in: Zone(account.timezone)))
        let run = summary.runs + 1
        let isEnough = summary.runs >= MatchesView.proposed
        let words = ["n": String(run), "of": String(MatchesView.proposed)]
        let form = MatchForm(filled, run: run, id: c.newID())
        return Show(
            matches: matches, form: form,
            next: c.texts[isEnough ? "tinnitus.next_run" : "tinnitus.next_of", words],
            notch: isEnough ? summary.quartiles.map { String($0.median) } : nil, errors: filled.summary)
    }
}
