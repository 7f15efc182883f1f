import Agenda
import Contributions
import HTTP
import Instruments
import Questionnaires
import Records
import Scheduling
import Secrets
import Web
import Wire
import Wording

/// Filling in behind a link: one assignment, for the holder of the link, and no other page.
package enum LinkPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/q/:token", .anyone, start)
        routes.page(.get, "/q/:token/form", .anyone) { c in
            try opened(c) { try AnswerFlow.show($0, c) }
        }
        routes.page(.post, "/q/:token/form", .anyone) { c in
            try opened(c) { try AnswerFlow.step($0, c) }
        }
        routes.page(.get, "/q/:token/form/sent", .anyone) { c in
            try opened(c, isSent: true) { target in
                try AnswerFlow.thanks(target, c) { target.reason == .assignment($0.assignmentID ?? "") }
            }
        }
        routes.page(.get, "/q/:token/form/done", .anyone, askDone)
        routes.page(.post, "/q/:token/form/done", .anyone, handBack)
    }

    /// Before it begins. Messengers open links for a preview; that does not use it up.
    package struct Start: Page {
        package static let template = "q/start"
        package let title: String
        let contentLanguage: String
        package let text: String
        package let path: String
        let isBegun: Bool
    }

    /// Why a link no longer works.
    package struct Dead: Page {
        package static let template = "q/dead"
        package let message: String
    }

    package struct Section: Page {
        package static let template = "q/section"
        package let screen: AnswerPages.Show
        /// The address for handing the device back.
        let done: String
    }
    package struct Review: Page {
        package static let template = "q/review"
        package let screen: AnswerPages.Review
        let done: String

        package static let example = Review(screen: .example, done: "/q/x/form/done")
    }
    package struct Closed: Page {
        package static let template = "q/closed"
        package let screen: AnswerPages.Closed
    }
    package struct Sent: Page {
        package static let template = "q/sent"
        package let screen: AnswerPages.Sent

        package static let example = Sent(screen: .example)
    }

    @Sendable static func start(_ c: Context<Anyone>) throws -> Reply {
        switch try AssignmentLinks.open(c) {
        case .dead(let why): return dead(why, c)
        case .open(let link, let target):
            if case .done = target.closed { return dead(.sent, c) }
            let now = try Answering.find(target, c)
            let dates = c.dates
            let end = [.set(link.expiresAt), target.due].compactMap(\.self).min { $0.at < $1.at }
            let until = end.map { c.texts.when($0, dates) } ?? ""
            if let closed = target.closed {
                return .page(Closed(screen: try now.page(closed: closed, [:], c)), status: 409)
            }
            return .page(
                Start(
                    title: target.questionnaire.title(c.languages),
                    contentLanguage: target.definition.language(asked: c.languages),
                    text: c.texts["link.start_text", ["when": until]], path: target.path,
                    isBegun: !now.draft.isEmpty))
        }
    }

    private static func dead(_ why: AssignmentLinks.Dead, _ c: Context<Anyone>) -> Reply {
        .page(Dead(message: c.texts["link.dead_\(why.rawValue)"]), status: why == .unknown ? 404 : 410)
    }

    /// - Parameter isSent: whether the page is for after sending.
    private static func opened(
        _ c: Context<Anyone>, isSent: Bool = false, _ body: (Fillable) throws -> AnswerFlow.Screen
    ) throws -> Reply {
        switch try AssignmentLinks.open(c) {
        case .dead(let why): return dead(why, c)
        case .open(let link, let target):
            if case .done = target.closed, c.request.method == .get {
                guard isSent, isShown(link, to: target.link, at: c.now) else { return dead(.sent, c) }
            }
            let screen = try body(target)
            let browser = c.request.method.isSafe ? nil : target.link?.browser
            return present(screen, browser.map { [NewCookie(.linkDraft, $0)] } ?? [])
        }
    }

    /// The thanks are for the browser that sent it, not for later users of the device.
    private static func isShown(
        _ link: AssignmentLinkRecord, to access: LinkAccess?, at now: Instant
    ) -> Bool {
        guard let sent = link.sentAt, let browser = link.sentBy, browser == access?.browser.hash else {
            return false
        }
        return sent.adding(seconds: thanksSeconds) > now
    }

    private static let thanksSeconds: Int64 = 600

    // MARK: Done

    /// Before a device is handed back: unsent input on it is removed.
    package struct Done: Page {
        package static let template = "q/done"
        /// The address for confirming it; nil once confirmed.
        let path: String?
        let back: String
    }

    @Sendable private static func askDone(_ c: Context<Anyone>) throws -> Reply {
        switch try AssignmentLinks.open(c) {
        case .dead(.unknown): return dead(.unknown, c)
        case .dead: return .page(Done(path: nil, back: ""))
        case .open(_, let target):
            let isOpen = target.closed == nil
            return .page(Done(path: isOpen ? target.path + "/done" : nil, back: target.path))
        }
    }

    @Sendable private static func handBack(_ c: Context<Anyone>) throws -> Reply {
        guard case .open(_, let target) = try AssignmentLinks.open(c), let link = target.link else {
            return try askDone(c)
        }
        try c.write(
            .assignmentLinkEnded, by: .nobody, about: link.therapy, object: target.draft
        ) { [now = c.now] connection in
            try AssignmentLinkStore.handBack(link.hash, at: now, connection)
        }
        return .seeOther(target.path + "/done", cookies: [NewCookie(.linkDraft, nil)])
    }

    private static func present(_ screen: AnswerFlow.Screen, _ cookies: [NewCookie]) -> Reply {
        switch screen {
        case .section(let page, let status):
            .page(Section(screen: page, done: page.path + "/done"), status: status, cookies: cookies)
        case .review(let page, let status):
            .page(Review(screen: page, done: page.path + "/done"), status: status, cookies: cookies)
        case .closed(let page, let status): .page(Closed(screen: page), status: status, cookies: cookies)
        case .sent(let page): .page(Sent(screen: page))
        case .leads(let path, _): .seeOther(path, cookies: cookies)
        }
    }
}
