import Accounts
import HTTP
import Identity
import Pairing
import Records
import Therapies
import Web
import Wire
import Wording

/// Connecting with a practice in the browser (IO-4): the code first, before signing in; then the account.
package enum OwnPairingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/pair", .anyone, new)
        routes.page(.post, "/pair", .anyone, keep)
        routes.page(.get, "/my/pairing", .patient, show)
        routes.page(.post, "/my/pairing", .patient, create)
    }

    package struct New: Page {
        package static let template = "my/pair"
        package let code: FieldView
        /// Staff cannot be paired.
        let isStaff: Bool
        package let errors: ErrorSummary?
    }

    package struct Show: Page {
        package static let template = "my/pairing"
        package static let section: NavigationItem? = .more
        /// The therapist of the code; nil before the code was looked up.
        package let therapist: String?
        let isPaired: Bool
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        .page(page(FormState(c.texts), c))
    }

    /// Checks only the form of the code: whether it exists is not disclosed before signing in.
    @Sendable static func keep(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        guard let code = PairingCodeRecord.normalised(form["code"] ?? "") else {
            let errors = FieldErrors("code", "own_pairing.eight_digits")
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
        let errand = Errand(code: code)
        if let account = c.actor.member?.account {
            let key = try account.key(c.keys)
            try c.writeUnaudited(.visitor) { [now = c.now, keys = c.keys] connection in
                guard account.kind == .patient else { return }
                try errand.give(to: account.id, under: key, keys, now: now, connection)
            }
            return .seeOther("/my/pairing")
        }
        guard let ticket = Errand.Ticket(c.request, c.services) else { throw Problem.signInRequired }
        try c.writeUnaudited(.visitor) { [now = c.now] connection in
            try ticket.keep(errand, now: now, connection)
        }
        try ticket.hand(c.request, c.services)
        return .seeOther("/login?next=/my/pairing")
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let isPaired = try c.read { try TherapyStore.running(of: c.proof.account.id, $0) } != nil
        let code = Errand.of(c.proof.account, c.services)?.code
        guard let code, !isPaired else { return .page(page(FormState(c.texts), isPaired: isPaired, c)) }
        do {
            let found = try PairingTry.find(code, c)
            let name = try PairingActions.therapist(of: found, c)
            return .page(page(FormState(c.texts), code: code, therapist: name, c))
        } catch let problem as Problem where problem.status == 404 || problem.status == 410 {
            // Keeping it would only count as another wrong try.
            try forget(c)
            let errors = FieldErrors("code", problem.message)
            let form = Form([.init("code", PairingCodeRecord.grouped(code))])
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { page($0, c) }) { fields in
            let draft = try PairingDraft.read(fields, now: c.now)
            do {
                try PairingActions.pair(draft, c)
            } catch let problem as Problem where problem.status == 404 || problem.status == 410 {
                throw Problem.invalid(FieldErrors("code", problem.message))
            }
            try forget(c)
            // The study offered with the code is asked about at once; it can be answered later.
            let next = try OwnStudiesPages.suggestion(c)?.path ?? "/my"
            return .seeOther(next, flash: Message("own_pairing.done"))
        }
    }

    // MARK: Parts

    private static func forget(_ c: Context<Member>) throws {
        try c.writeUnaudited(.visitor) { [account = c.proof.account.id, keys = c.keys] connection in
            try Errand.forget(of: account, keys, connection)
        }
    }

    private static func page(_ filled: FormState, _ c: Context<Anyone>) -> New {
        New(
            code: code(filled, first: ""), isStaff: c.actor.member?.account.kind == .staff,
            errors: filled.summary)
    }

    private static func code(_ filled: FormState, first: String) -> FieldView {
        filled.field(
            "code", .digits, label: "own_pairing.code", first: first, hint: "own_pairing.code_hint",
            required: true, autocomplete: "off")
    }

    private static func page(
        _ filled: FormState, code: String = "", therapist: String? = nil, isPaired: Bool = false,
        _ c: Context<Member>
    ) -> Show {
        let birth = filled.field(
            "birth_date", .date, label: "own_pairing.birth_date", required: true, autocomplete: "bday")
        let gender = filled.list(
            "gender", label: "own_pairing.gender", required: true, none: "own_pairing.choose",
            Gender.allCases.map { ($0.rawValue, c.texts["own_pairing.gender_\($0.rawValue)"]) })
        let fields = [
            Self.code(filled, first: code.isEmpty ? "" : PairingCodeRecord.grouped(code)), birth, gender,
        ]
        return Show(therapist: therapist, isPaired: isPaired, fields: fields, errors: filled.summary)
    }
}
