import Contributions
import Instruments
import Records
import Web
import Wire

/// The screens of a questionnaire: a section, the missing answers, why it cannot be filled in, and that it was sent.
package enum AnswerPages {
    /// One section.
    package struct Show: Page {
        package static let template = "my/answer"
        package static let section: NavigationItem? = .my

        let path: String
        package let title: String
        let contentLanguage: String
        package let progress: String
        let percent: String
        let due: String?
        /// The text above the first section.
        let intro: String?
        let part: String
        let layout: String?
        let isStepwise: Bool
        /// How many questions come before this section, and how many there are.
        let before: String
        let of: String
        let hasCall: Bool
        package let text: String?
        package let questions: [PhoneQuestion]
        let isAlone: Bool
        let hasRequired: Bool
        let isFirst: Bool
        let id: ID<ContributionRecord>
        let startedAt: String
        let version: ID<QuestionnaireVersion>
        /// The values the form shows, to detect what was changed in it.
        let was: String
        package let notice: String?
        package let errors: ErrorSummary?
        let sensors: String?
        package var permissions: String?

        private enum CodingKeys: String, CodingKey {
            case path, title, contentLanguage, progress, percent, due, intro, part, layout, isStepwise
            case before, of, hasCall, text, questions, isAlone
            case hasRequired, isFirst, id, startedAt, version, was, notice, errors, sensors
        }
    }

    /// The missing answers, before it is sent.
    package struct Review: Page {
        package static let template = "my/answer-review"
        package static let section: NavigationItem? = .my

        package struct Missing: Encodable, Sendable {
            let text: String
            let path: String
        }

        /// A sensor that a script can measure now, if the person wants to.
        struct Sensor: Encodable, Sendable {
            let kind: String
            let take: String
            let taken: String
            let about: String
        }

        let path: String
        package let title: String
        let contentLanguage: String
        let progress: String
        let percent: String
        package let required: [Missing]
        let hasRequired: Bool
        /// The first missing one.
        let first: String?
        package let optional: [Missing]
        let hasOptional: Bool
        let back: String
        let id: ID<ContributionRecord>
        let startedAt: String
        let version: ID<QuestionnaireVersion>
        let sensors: [Sensor]
        package let notice: String?
        package var permissions: String?

        private enum CodingKeys: String, CodingKey {
            case path, title, contentLanguage, progress, percent, required, hasRequired, first, optional
            case hasOptional, back, id, startedAt, version, sensors, notice
        }

        package static let example = Review(
            path: "/my/assignments/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Zwischen den Sitzungen",
            contentLanguage: "de", progress: "5 von 8", percent: "62",
            required: [Missing(text: "Wie oft?", path: "/my#answers.q1")], hasRequired: true,
            first: "/my#answers.q1", optional: [Missing(text: "Was noch?", path: "/my#answers.q2")],
            hasOptional: true, back: "/my",
            id: "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b01", startedAt: "2026-11-20T09:00:00Z",
            version: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12",
            sensors: [
                Sensor(
                    kind: "gps", take: "Standort beifügen", taken: "Der Standort wird mitgesendet.",
                    about: "Einmal, jetzt.")
            ], notice: "Es fehlt noch eine Antwort.")
    }

    /// Why it cannot be filled in, or was not accepted. The input is shown for reading.
    package struct Closed: Page {
        package static let template = "my/answer-closed"
        package static let section: NavigationItem? = .my

        package struct Line: Encodable, Sendable {
            let text: String
            /// Nil where only this device has an answer.
            let answer: String?
            /// The input on this device, which does not count; nil where it is the same.
            let typed: String?
        }

        package let title: String
        let contentLanguage: String
        package let message: String
        package let links: [PageLink]
        /// The kind of answers shown: those that count, or the input on this device.
        let heading: String
        package let answers: [Line]
        let hasAnswers: Bool
        /// Nil behind a link, which leads to no other page.
        let home: String?
    }

    package struct Sent: Page {
        package static let template = "my/answer-sent"
        package static let section: NavigationItem? = .my
        package let title: String
        let contentLanguage: String
        let outro: String?
        /// Whether an answer must be seen: then the numbers to call are shown large.
        package let isSerious: Bool
        let home: String?
        /// The address for handing the device back, behind a link.
        var done: String?

        package static let example = Sent(
            title: "Zwischen den Sitzungen", contentLanguage: "de", outro: "Danke.", isSerious: true,
            home: "/my")
    }
}
