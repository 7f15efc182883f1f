import Accounts
import Database
import Delivery
import HTTP
import Identity
import Records
import Rules
import Scheduling
import Web
import Wording

/// The start of a new installation: the missing steps, each with its page.
package enum WelcomePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/welcome", .staff, show)
        routes.page(.post, "/welcome/dismissal", .staff, dismiss)
        routes.page(.post, "/welcome/mail", .admin, tryMail)
    }

    package struct Show: Page {
        package static let template = "welcome/show"
        let lead: String
        /// Whether the reader sets the installation up: staff representatives may have a say in it (PR-33).
        let isInstaller: Bool
        /// The administrator's part and the therapists', as far as they concern the reader.
        let halves: [Half]
        /// Whether the banner is still on the home page.
        let mayDismiss: Bool

        struct Half: Encodable, Sendable {
            let id: String
            let heading: String
            let steps: [Row]
        }
        struct Row: Encodable, Sendable {
            let title: String
            let text: String
            let state: String
            let tone: String
            let isDone: Bool
            let path: String?
            let label: String
            /// The parts that one button adds; nil for steps that are pages.
            let starter: Starter?
            /// A further link of the step.
            var more: Link?
            /// A button that acts at once.
            var act: Act?
            /// Optional additions, for clinics that need them.
            var kits: [Kit] = []
            /// Why a rewritten page is not done yet.
            var leftOver: String?
        }
        struct Act: Encodable, Sendable {
            let path: String
            let label: String
            /// Why it failed just now.
            let failure: String?
        }
        struct Starter: Encodable, Sendable {
            let pieces: [String]
        }
        struct Kit: Encodable, Sendable {
            let title: String
            let text: String
            let path: String
            let only: String?
        }
        struct Link: Encodable, Sendable {
            let path: String
            let label: String
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply { .page(try page(c)) }

    /// Sends a mail to the reader's own address and shows the server's answer: naming a server proves nothing.
    @Sendable static func tryMail(_ c: Context<Member>) throws -> Reply {
        try c.services.limiter.count("mail trials", limit: 10, seconds: 3600, now: c.now)
        let account = c.proof.account
        let email = try account.email(c.keys)
        try c.write(.mailTried, about: account.id) { _ in }
        let mail = Mail(
            recipient: email, subject: c.texts["welcome.trial_subject"],
            body: c.texts["welcome.trial_body", ["link": c.services.origin]])
        let failure = try c.services.postman.trial(
            mail, for: account.id, from: c.services.origin, at: c.now)
        if let failure { return .page(try page(c, mailFailure: failure), status: 422) }
        return .seeOther("/welcome", flash: Message("welcome.trial_sent", ["email": email]))
    }

    private static func page(_ c: Context<Member>, mailFailure: String? = nil) throws -> Show {
        let account = c.proof.account
        return try c.read { connection in
            let welcome = try Welcome(for: account, c, connection)
            let standing = try StarterQuestionnaires.standing(c, connection)
            let practice = try StarterPractice.standing(c, connection)
            let kits = try c.services.starterKits(c, connection).map {
                Show.Kit(title: $0.title, text: $0.text, path: $0.path, only: $0.only)
            }
            return Show(
                lead: welcome.open == 0
                    ? c.texts["welcome.all_done"] : c.texts.count("welcome.open", welcome.open),
                isInstaller: account.roles.contains(.admin),
                halves: [false, true].compactMap { isWork in
                    let steps = welcome.steps.filter { $0.step.isWork == isWork }.map { step, isDone in
                        var row = entry(step, isDone: isDone, standing, practice, c)
                        if step == .mail { row.act = mailTrial(mailFailure, c) }
                        if step == .starter { row.kits = kits }
                        row.leftOver = welcome.leftOver[step].map {
                            c.texts["welcome.template_left", ["sentence": $0]]
                        }
                        return row
                    }
                    if steps.isEmpty { return nil }
                    return Show.Half(
                        id: isWork ? "work" : "installation",
                        heading: c.texts[isWork ? "welcome.half_work" : "welcome.half_installation"],
                        steps: steps)
                },
                mayDismiss: try !WelcomeStore.isDismissed(by: account.id, connection))
        }
    }

    private static func mailTrial(_ failure: String?, _ c: Context<Member>) -> Show.Act? {
        guard c.services.settings.relay != nil else { return nil }
        return Show.Act(
            path: "/welcome/mail", label: c.texts["welcome.try_mail"],
            failure: failure.map { c.texts["welcome.trial_failed", ["reason": $0]] })
    }

    private static func entry(
        _ step: Welcome.Step, isDone: Bool, _ standing: StarterQuestionnaires.Standing,
        _ practice: StarterPractice.Standing, _ c: Context<Member>
    ) -> Show.Row {
        let texts = c.texts
        let isStarter = step == .starter && !isDone
        let more = Show.Link(path: "/questionnaires/import", label: texts["welcome.import_files"])
        return Show.Row(
            title: texts["welcome.\(step.rawValue)"], text: text(step, isDone: isDone, c),
            state: texts[isDone ? "welcome.done" : "welcome.missing"], tone: isDone ? "good" : "accent",
            isDone: isDone, path: isStarter ? nil : path(step),
            label: texts[isDone ? "welcome.look" : "welcome.do_\(step.rawValue)"],
            starter: isStarter
                ? Show.Starter(pieces: pieces(standing, texts) + pieces(practice, texts)) : nil,
            more: step == .starter ? more : nil)
    }

    /// Sending mail is not set by a form, but at the start of the server.
    private static func text(_ step: Welcome.Step, isDone: Bool, _ c: Context<Member>) -> String {
        guard step == .mail else { return c.texts["welcome.\(step.rawValue)_text"] }
        let isNamed = c.services.settings.relay != nil
        let key = isDone ? "welcome.mail_set" : isNamed ? "welcome.mail_untried" : "welcome.mail_text"
        return c.texts[key, ["origin": c.services.origin]]
    }

    private static func path(_ step: Welcome.Step) -> String {
        switch step {
        case .clinic: "/admin/settings"
        case .mail: "/admin/system"
        case .privacy: "/admin/information/privacy"
        case .imprint: "/admin/information/imprint"
        case .colleagues: "/admin/accounts/new"
        case .profile: "/profile"
        case .starter: "/questionnaires"
        case .patient: "/patients/new"
        }
    }

    /// What the button would bring.
    private static func pieces(_ standing: StarterQuestionnaires.Standing, _ texts: Texts) -> [String] {
        var lines = standing.pieces.filter { $0.state == .missing }.map { piece in
            let key = piece.key == DailyPlan.questionnaireKey ? "starter.daily" : "starter.questionnaire"
            return texts[key, ["title": piece.title]]
        }
        if !standing.hasBattery {
            let titles = standing.pieces.filter { StarterQuestionnaires.batteryKeys.contains($0.key) }.map(
                \.title)
            lines.append(
                texts[
                    "starter.battery",
                    ["name": texts["starter.battery_name"], "titles": titles.joined(separator: ", ")]])
        }
        return lines
    }

    private static func pieces(_ practice: StarterPractice.Standing, _ texts: Texts) -> [String] {
        var lines: [String] = []
        if practice.missingInterventions > 0 {
            let kinds = practice.interventions.filter { $0.missing > 0 }.map { kind, missing in
                "\(missing) × \(texts["interventions.kind_\(kind.rawValue)"])"
            }
            lines.append(texts["starter.interventions", ["kinds": kinds.joined(separator: ", ")]])
        }
        if !practice.reactions.isEmpty {
            let names = practice.reactions.map { texts["rules.quoted", ["text": $0]] }
            lines.append(texts["starter.reactions", ["names": names.joined(separator: ", ")]])
        }
        return lines + practice.others
    }

    @Sendable static func dismiss(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        try c.write(.welcomeDismissed, about: account.id) { [now = c.now] connection in
            try WelcomeStore.dismiss(by: account.id, at: now, connection)
        }
        return .seeOther(NextPath.home(of: account), flash: Message("welcome.dismissed"))
    }
}
