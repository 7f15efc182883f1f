import Accounts
import HTTP
import Identity
import Web
import Wire
import Wording

/// Feedback to the project's team in the browser (TYT-4): for patients and participants, for people without an
/// account, and the page on which leads and administrators read it.
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
        try c.submit(orShow: ownPage) { fields in
            try ProjectFeedback(fields).keep(c)
            return .seeOther("/my/feedback", flash: Message("feedback.thanks"))
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
        let text = filled.field("text", .area, label: "feedback.text", hint: "feedback.text_hint")
        let address = filled.field(
            "reply_to", .email, label: "feedback.reply_to", hint: "feedback.reply_to_hint",
            autocomplete: "email")
        return [text, address]
    }

    // MARK: Visitors

    package struct New: Page {
        package static let template = "my/feedback"
        let fields: [FieldView]
        var errors: ErrorSummary?
    }

    package struct Sent: Page {
        package static let template = "my/feedback-sent"
    }

    @Sendable static func new(_ c: Context<Anyone>) throws -> Reply {
        if c.actor.member?.account.kind == .patient { return .seeOther("/my/feedback") }
        return .page(page(FormState(c.texts)))
    }

    @Sendable static func send(_ c: Context<Anyone>) throws -> Reply {
        try c.submit(orShow: page) { fields in
            try ProjectFeedback(fields).keep(c)
            return .seeOther("/feedback/sent")
        }
    }

    @Sendable static func sent(_ c: Context<Anyone>) throws -> Reply { .page(Sent()) }

    private static func page(_ filled: FormState) -> New {
        New(fields: fields(filled), errors: filled.summary)
    }

    // MARK: Readers

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
