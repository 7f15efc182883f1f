import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Intake
import Questionnaires
import Records
import Studies
import Templates
import Web
import Wire
import Wording

/// The questionnaires of the own studies that may be filled in at will, baselines first (TYS-3).
package enum OwnQuestionnairePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/questionnaires", .patient, index)
    }

    package struct Index: Page {
        package static let template = "my/questionnaires"
        package static let section: NavigationItem? = .more

        package struct Group: Encodable, Sendable {
            let id: String
            let title: WrittenText
            let rows: [Row]
        }
        package struct Row: Encodable, Sendable {
            let title: WrittenText
            let text: WrittenText?
            /// Nil for one that cannot be filled in now.
            let path: String?
            let state: String?
        }

        package let groups: [Group]
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let (own, profiles) = try c.read { connection in
            (
                try OwnStudyItem.all(of: account, c.services.questionnaires, at: c.now, connection),
                try Self.profiles(c, connection)
            )
        }
        var groups =
            profiles.isEmpty
            ? []
            : [Index.Group(id: "profiles", title: WrittenText(c.texts["profiles.title"]), rows: profiles)]
        for first in own where !groups.contains(where: { $0.id == first.study.id.text }) {
            let items = own.filter {
                // What happens is noted first, with its button.
                $0.study.id == first.study.id && $0.item.event == nil && $0.state != .inactive
                    && $0.state != .outside
                    && $0.questionnaire?.definition.mode != .living
            }
            if items.isEmpty { continue }
            groups.append(
                Index.Group(
                    id: first.study.id.text,
                    title: first.study.title.written(in: c.languages, on: c.language)
                        ?? WrittenText(first.study.name),
                    rows: items.map { row($0, c) }))
        }
        return .page(Index(groups: groups))
    }

    /// Continued profiles, of therapies and studies alike (SN-4).
    private static func profiles(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Index.Row] {
        let all = try ProfileTarget.all(
            of: c.proof.account, c.services.questionnaires, at: c.now, connection)
        return try all.map { target in
            let answers = try target.state(c.keys, connection).answers
            let asked = target.definition.visibleSections(answers).flatMap(\.questions)
            let answered = asked.count { answers[$0.key] != nil }
            let language = target.definition.language(asked: c.languages)
            return Index.Row(
                title: target.questionnaire.written(c.languages, on: c.language),
                text: target.definition.description?[language].map {
                    WrittenText($0, language: language == c.language.rawValue ? nil : language)
                }, path: target.path,
                state: c.texts[
                    "profiles.state", ["percent": c.texts.percent(answered, of: max(asked.count, 1))]])
        }
    }

    private static func row(_ own: OwnStudyItem, _ c: Context<Member>) -> Index.Row {
        let record = own.questionnaire
        let language = record?.definition.language(asked: c.languages) ?? c.language.rawValue
        return Index.Row(
            title: record?.written(c.languages, on: c.language) ?? WrittenText(own.item.key),
            text: record?.definition.description?[language].map {
                WrittenText($0, language: language == c.language.rawValue ? nil : language)
            },
            path: own.state == .open ? "/my/questionnaires/\(own.item.id)" : nil,
            state: state(own).map { c.texts["answering.\($0)"] })
    }

    private static func state(_ own: OwnStudyItem) -> String? {
        switch own.state {
        case .answered: "state_answered"
        case .waits: "state_waits"
        case .notRunning: "state_not_running"
        case .onPaper: "state_on_paper"
        case .inactive, .outside: nil
        case .open:
            if own.isFilledOut {
                "state_again"
            } else if own.isRequiredBaseline {
                "state_first"
            } else {
                own.isRecommendedBaseline ? "state_recommended" : nil
            }
        }
    }
}
