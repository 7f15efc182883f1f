import Accounts
import Clinic
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Connecting with a practice in the browser (IO-4): the code first, whoever one is; then, signed in, who one is.
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

        package static let example = New(
            code: FieldView(name: "code", label: "Code"), isStaff: false, errors: nil)
    }

    package struct Show: Page {
        package static let template = "my/pairing"
        package static let section: NavigationItem? = .more
        /// Whom the code leads to; nil while none has been looked up.
        package let therapist: String?
        let isPaired: Bool
        package let fields: [FieldView]
        package let errors: ErrorSummary?

        package static let example = Show(
            therapist: "Dr. Ada Lindner", isPaired: false,
            fields: [FieldView(name: "birth_date", label: "Geburtsdatum", type: "date")], errors: nil)
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        .page(page(FormState(c.texts), c))
    }

    /// Looks at the form of the code only: whether there is such a code is told to nobody who is not signed in.
    @Sendable static func keep(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        guard let code = PairingCodeRecord.normalised(form["code"] ?? "") else {
            let errors = FieldErrors("code", "own_pairing.eight_digits")
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
        guard let browser = Errand.browser(c.request, c.services) else { throw Problem.signInRequired }
        var errand = Errand.of(c.request, c.services) ?? Errand()
        errand.code = code
        try c.writeUnaudited(.visitor) { [errand, now = c.now] connection in
            try errand.keep(for: browser, now: now, connection)
        }
        return .seeOther(c.actor.member == nil ? "/login?next=/my/pairing" : "/my/pairing")
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let isPaired = try c.read { try TherapyStore.running(of: c.proof.account.id, $0) } != nil
        let code = Errand.of(c.request, c.services)?.code
        guard let code, !isPaired else { return .page(page(FormState(c.texts), isPaired: isPaired, c)) }
        do {
            let found = try PairingTry.find(code, c)
            let name = try PairingActions.therapist(of: found, c)
            return .page(page(FormState(c.texts), code: code, therapist: name, c))
        } catch let problem as Problem where problem.status == 404 || problem.status == 410 {
            // Asking again would only count as another wrong try.
            try forget(c)
            let errors = FieldErrors("code", problem.message)
            let form = Form([.init("code", PairingCodeRecord.grouped(code))])
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            try PairingActions.pair(try PairingDraft.read(InputReader(form: form), now: c.now), c)
            try forget(c)
            // What the therapist has offered with the code is asked at once; it can be answered later.
            let next = try OwnStudiesPages.suggestion(c)?.path ?? "/my"
            return .seeOther(next, flash: Message("own_pairing.done"))
        } catch Problem.invalid(let errors) {
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        } catch let problem as Problem where problem.status == 404 || problem.status == 410 {
            let errors = FieldErrors("code", problem.message)
            return .page(page(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    // MARK: Parts

    private static func forget(_ c: Context<Member>) throws {
        guard let browser = Errand.browser(c.request, c.services) else { return }
        try c.writeUnaudited(.visitor) { try ErrandStore.remove(of: browser, $0) }
    }

    private static func page(_ filled: FormState, _ c: Context<Anyone>) -> New {
        New(
            code: code(filled, first: ""), isStaff: c.actor.member?.account.kind == .staff,
            errors: filled.summary)
    }

    private static func code(_ filled: FormState, first: String) -> FieldView {
        var field = filled.field("code", label: "own_pairing.code", first: first)
        field.hint = filled.texts["own_pairing.code_hint"]
        field.inputMode = "numeric"
        field.autocomplete = "one-time-code"
        field.isRequired = true
        return field
    }

    private static func page(
        _ filled: FormState, code: String = "", therapist: String? = nil, isPaired: Bool = false,
        _ c: Context<Member>
    ) -> Show {
        var birth = filled.field("birth_date", label: "own_pairing.birth_date")
        birth.type = "date"
        birth.autocomplete = "bday"
        birth.isRequired = true
        let choices = [(value: "", label: c.texts["own_pairing.choose"])]
        var gender = filled.list(
            "gender", label: "own_pairing.gender", first: "",
            choices
                + Gender.allCases.map {
                    (value: $0.rawValue, label: c.texts["own_pairing.gender_\($0.rawValue)"])
                })
        gender.isRequired = true
        let fields = [
            Self.code(filled, first: code.isEmpty ? "" : PairingCodeRecord.grouped(code)), birth, gender,
        ]
        return Show(therapist: therapist, isPaired: isPaired, fields: fields, errors: filled.summary)
    }
}
