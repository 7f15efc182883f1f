import Accounts
import HTTP
import Identity
import Web
import Wire
import Wording

/// Feedback to the project's team in the browser (TYT-4): for patients and participants, for people without an account, and
/// the page on which leads and administrators read it.
package enum FeedbackPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/feedback", .patient, own)
        routes.page(.post, "/my/feedback", .patient, sendOwn)
        routes.page(.get, "/feedback", .anyone, new)
        routes.page(.post, "/feedback", .anyone, send)
        routes.page(.get, "/feedback/sent", .anyone, sent)
        routes.page(.get, "/admin/feedback", .team, index)
    }

    // MARK: Patients and participants

    @Sendable static func own(_ c: Context<Member>) throws -> Reply { .page(ownPage(FormState(c.texts))) }

    @Sendable static func sendOwn(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            try ProjectFeedback(InputReader(form: form)).keep(c)
            return .seeOther("/my/feedback", flash: Message("feedback.thanks"))
        } catch Problem.invalid(let errors) {
            return .page(ownPage(FormState(form, errors, c.texts)), status: 422)
        }
    }

    private static func ownPage(_ filled: FormState) -> OwnForm {
        OwnForm(
            title: filled.texts["feedback.title"], lead: filled.texts["feedback.lead"],
            note: filled.texts["feedback.not_therapist"], tellsToCall: true,
            parent: PageLink(label: filled.texts["my.more"], path: "/my/more", isCurrent: false),
            action: "/my/feedback", fields: fields(filled), submit: filled.texts["feedback.send"],
            errors: filled.summary)
    }

    private static func fields(_ filled: FormState) -> [FieldView] {
        var text = filled.field("text", label: "feedback.text")
        text.isArea = true
        text.hint = filled.texts["feedback.text_hint"]
        var address = filled.field("reply_to", label: "feedback.reply_to")
        address.type = "email"
        address.autocomplete = "email"
        address.hint = filled.texts["feedback.reply_to_hint"]
        return [text, address]
    }

    // MARK: Everybody else

    package struct New: Page {
        package static let template = "my/feedback"
        let fields: [FieldView]
        var errors: ErrorSummary?

        package static let example = New(
            fields: [FieldView(name: "text", label: "Ihre Rückmeldung", isArea: true)], errors: nil)
    }

    package struct Sent: Page {
        package static let template = "my/feedback-sent"
        package static let example = Sent()
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        if c.actor.member?.account.kind == .patient { return .seeOther("/my/feedback") }
        return .page(page(FormState(c.texts)))
    }

    @Sendable static func send(_ c: Context<Anyone>) throws -> Reply {
        let form = try c.form()
        do {
            try ProjectFeedback(InputReader(form: form)).keep(c)
            return .seeOther("/feedback/sent")
        } catch Problem.invalid(let errors) {
            return .page(page(FormState(form, errors, c.texts)), status: 422)
        }
    }

    @Sendable static func sent(_ c: Context<Anyone>) throws -> Reply { .page(Sent()) }

    private static func page(_ filled: FormState) -> New {
        New(fields: fields(filled), errors: filled.summary)
    }

    // MARK: Who reads it

    package struct Index: Page {
        package static let template = "admin/feedback"
        package static let section: NavigationItem? = .admin

        package struct Row: Encodable, Sendable {
            let text: String
            let when: String
            let replyTo: String?
        }
        let rows: [Row]
        let older: String?
        let isAdmin: Bool

        package static let example = Index(
            rows: [Row(text: "Die Erinnerung hilft.", when: "heute 10:00", replyTo: "pia@example.org")],
            older: "/admin/feedback?cursor=1_x", isAdmin: true)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let list = try ProjectFeedbackAPI.list(c)
        let rows = list.data.map { item in
            Index.Row(
                text: item.attributes.text, when: c.dates.dayAndTime(item.attributes.receivedAt),
                replyTo: item.attributes.replyTo)
        }
        return .page(
            Index(
                rows: rows, older: list.meta.next, isAdmin: c.proof.account.roles.contains(.admin)))
    }
}
