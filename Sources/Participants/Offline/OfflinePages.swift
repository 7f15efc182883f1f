import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// Makes the patients' pages an app that works offline: the worker, the manifest, the first page without a network,
/// and the whole form of a questionnaire.
package enum OfflinePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/worker.js", .anyone, worker)
        routes.page(.get, "/my/manifest.json", .anyone, manifest)
        routes.page(.get, "/my/offline", .patient) { _ in .page(Show()) }
        routes.page(.get, "/my/offline/plan", .patient, plan)
        routes.page(.get, "/my/offline/forms/:version", .patient, form)
    }

    // MARK: The app

    /// Names the app's files, so that it changes with every one of them.
    @Sendable static func worker(_ c: Context<Anyone>) throws -> Reply {
        let assets = c.services.assets
        let shell = [
            assets.stylesheet, assets.alone("answer"), assets.script, "/assets/icons/mark.svg",
            "/assets/icons/icons.svg",
        ]
        let files = try JSONWriter.bytes(of: shell + assets.ownModules)
        let start = assets.own("worker.js")
        let neutral = OfflinePlan.Notice(title: c.texts["push.title"], body: c.texts["push.body"])
        let words = try JSONWriter.bytes(of: neutral)
        let text =
            "import { start } from \"\(start)\"\n"
            + "start(\(String(decoding: files, as: UTF8.self)), \(String(decoding: words, as: UTF8.self)))\n"
        var response = Response(type: "text/javascript; charset=utf-8", Array(text.utf8))
        response.headers.append("Cache-Control", "no-cache")
        response.headers.append("Service-Worker-Allowed", "/my")
        return .response(response)
    }

    private struct Manifest: Encodable {
        struct Icon: Encodable {
            let src: String
            let sizes: String
            let type: String
            let purpose: String
        }
        let id = "/my"
        let name: String
        let shortName: String
        let lang: String
        /// Marks sessions whose pages were opened from the home screen.
        let startURL = "/my?\(DeviceTraits.homeScreen)=1"
        let scope = "/my"
        let display = "standalone"
        let backgroundColor = "#f8f8fa"
        let themeColor = "#f8f8fa"
        let icons: [Icon]
    }

    /// Names no person and no clinic: it is fetched on installing, signed in or not, and shows on a home screen.
    @Sendable static func manifest(_ c: Context<Anyone>) throws -> Reply {
        let name = c.texts["frame.product"]
        let icon = { (size: String, purpose: String) in
            Manifest.Icon(
                src: "/assets/icons/app-\(size).png", sizes: "\(size)x\(size)", type: "image/png",
                purpose: purpose)
        }
        let manifest = Manifest(
            name: name, shortName: name, lang: c.language.rawValue,
            icons: [icon("192", "any"), icon("512", "any"), icon("512", "maskable")])
        var response = Response(
            type: "application/manifest+json; charset=utf-8", try JSONWriter.bytes(of: manifest))
        response.headers.append("Cache-Control", "public, max-age=3600")
        return .response(response)
    }

    /// The first page without a network: what is kept here, what can be filled in, what was refused.
    package struct Show: Page {
        package static let template = "my/offline"
        package static let section: NavigationItem? = .my
    }

    /// Only for sessions that stay signed in: its content is kept on the device.
    @Sendable static func plan(_ c: Context<Member>) throws -> Reply {
        guard c.proof.credential.staysUntil != nil else {
            throw Problem.conflict(Message("offline.not_own_device"))
        }
        return try .plain(try OfflinePlanning.plan(c))
    }

    // MARK: A whole questionnaire

    /// All sections at once, shown one by one by a script. Without personal data: one copy serves everyone.
    package struct Whole: Page {
        package static let template = "my/offline-form"
        package static let section: NavigationItem? = .my

        struct Part: Encodable, Sendable {
            let key: String
            let text: String?
            let condition: String?
            let questions: [PhoneQuestion]
            let layout: String?
            let isAlone: Bool
        }

        let version: ID<QuestionnaireVersion>
        let title: String
        let contentLanguage: String
        let intro: String?
        let parts: [Part]
        let hasCall: Bool
        let hasRequired: Bool
    }

    /// - Throws: `Problem.notFound` for a questionnaire that is not asked of the caller.
    @Sendable static func form(_ c: Context<Member>) throws -> Reply {
        let id: ID<QuestionnaireVersion> = try c.id("version")
        let plan = try OfflinePlanning.plan(c)
        guard
            plan.entries.contains(where: { $0.version == id })
                || plan.buttons.contains(where: { $0.version == id }),
            let record = try c.read({ try QuestionnaireStore.find(id, c.services.questionnaires, $0) })
        else { throw Problem.notFound }
        let definition = record.definition
        let language = definition.language(asked: c.languages)
        let draw = PhoneDrawing(form: nil, errors: FieldErrors(), language: language, texts: c.texts)
        let parts = definition.sections.map { section in
            let condition = section.visibleIf.flatMap { try? JSONWriter.bytes(of: $0) }
            return Whole.Part(
                key: section.key, text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                condition: condition.map { String(decoding: $0, as: UTF8.self) },
                questions: section.questions.map(draw.question), layout: section.layout?.rawValue,
                isAlone: section.questions.count == 1)
        }
        return .page(
            Whole(
                version: id, title: record.title(c.languages), contentLanguage: language,
                intro: definition.intro?[language], parts: parts,
                hasCall: definition.sections.contains(where: \.hasCall),
                hasRequired: definition.mode == .sheet && definition.questions.contains { $0.isRequired }))
    }
}
