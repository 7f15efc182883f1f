import Database
import Identity
import Instruments
import Questionnaires
import Records
import Templates
import Therapies
import Web
import Wire
import Wording

/// A questionnaire or a battery that can be assigned, with facts for the decision (PR-19).
struct AssignmentChoice {
    /// The form's value.
    let value: String
    let title: String
    let records: [QuestionnaireRecord]
    /// That archived parts of a battery are left out; nil where there are none.
    let archived: String?
    /// When this therapist last assigned it.
    let lastUsed: Instant?
    /// The assignments of it that wait for this patient already.
    let open: [AssignmentRecord]
    let minutes: Int
    /// The number of sheets behind the median time; nil where it is estimated from the questions.
    let measured: Int?

    /// The latest used first, the others by name.
    static func all(_ c: Context<Caseload>, _ connection: borrowing Connection) throws -> [AssignmentChoice] {
        let cache = c.services.questionnaires
        let therapist = c.proof.therapist.id
        let records = try QuestionnaireStore.newest(cache, connection)
        let batteries = try BatteryStore.all(connection)
        let known = try Known(
            uses: AssigningStore.uses(by: therapist, connection),
            durations: AssigningStore.durations(
                among: therapist, since: c.now.adding(days: -365), connection),
            open: AssignmentStore.open(in: c.proof.patient.id, at: c.now, connection),
            keys: { try QuestionnaireStore.find($0, cache, connection)?.key })
        let single = records.map { record in
            known.choice(
                record.key, record.title(c.language), [record], archived: nil, known.lastAlone[record.key])
        }
        let parts = try BatteryParts(c, connection)
        let byKey = Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let joined = batteries.map { battery in
            known.choice(
                "\(WhatToAssign.prefix)\(battery.id)", c.texts["batteries.named", ["name": battery.name]],
                battery.keys.compactMap { byKey[$0] }, archived: parts.warning(battery),
                known.lastOfBattery[battery.id])
        }
        let all = single + joined.filter { !$0.records.isEmpty }
        let byName = all.sorted(byName: \.title, then: \.value)
        // The order of those used at the same moment stays.
        // Swift's sort keeps the order of those used at the same moment.
        let used = byName.filter { $0.lastUsed != nil }.sorted {
            ($0.lastUsed ?? .distantPast) > ($1.lastUsed ?? .distantPast)
        }
        return used + byName.filter { $0.lastUsed == nil }
    }

    /// Facts about all of them, by the keys of the questionnaires.
    private struct Known {
        var lastAlone: [String: Instant] = [:]
        var lastOfBattery: [ID<Battery>: Instant] = [:]
        var open: [String: [AssignmentRecord]] = [:]
        var durations: [String: [AssigningStore.Duration]] = [:]

        init(
            uses: [AssigningStore.Use],
            durations sheets: [ID<QuestionnaireVersion>: [AssigningStore.Duration]],
            open records: [AssignmentRecord], keys: (ID<QuestionnaireVersion>) throws -> String?
        ) throws {
            for use in uses {
                if let battery = use.batteryID {
                    lastOfBattery[battery] = max(lastOfBattery[battery] ?? use.last, use.last)
                } else if let key = try keys(use.questionnaireID) {
                    lastAlone[key] = max(lastAlone[key] ?? use.last, use.last)
                }
            }
            for (version, all) in sheets {
                if let key = try keys(version) { durations[key, default: []] += all }
            }
            // A daily is asked three times a day without being assigned.
            for record in records where record.plannedOn == nil {
                if let key = try keys(record.questionnaireID) { open[key, default: []].append(record) }
            }
        }

        func choice(
            _ value: String, _ title: String, _ records: [QuestionnaireRecord], archived: String?,
            _ last: Instant?
        ) -> AssignmentChoice {
            let times = records.map { FillingTime($0.definition, sheets: durations[$0.key] ?? []) }
            let counts = times.compactMap(\.measured)
            return AssignmentChoice(
                value: value, title: title, records: records, archived: archived, lastUsed: last,
                open: records.flatMap { open[$0.key] ?? [] },
                minutes: max(1, Int((times.map(\.seconds).reduce(0, +) / 60).rounded())),
                measured: counts.count == times.count ? counts.min() : nil)
        }
    }

    // MARK: In words

    /// `etwa 3 Minuten`, with its source.
    func time(_ texts: Texts) -> String {
        let time = texts.count("assignments.takes", minutes)
        let basis =
            measured.map { texts["assignments.takes_measured", ["n": String($0)]] }
            ?? texts["assignments.takes_estimated"]
        return "\(time) (\(basis))"
    }

    /// The title on a page; a battery's name is of no known language.
    func written(on page: Language) -> WrittenText {
        let own = records.count == 1 ? records[0].written(on: page) : nil
        return own?.text == title ? own ?? WrittenText(title) : WrittenText(title)
    }

    /// The waiting ones, each with its window; nil without any.
    func openWords(_ c: Context<Caseload>) -> String? {
        let words = open.map { record in
            let isComing = record.availableFrom > c.now
            return isComing
                ? c.texts.opening(record.opens, c.dates, in: "assignments.coming_from")
                : c.texts.closing(record.closes, c.dates, in: "assignments.open_until")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The form's value that confirms another one: it names those that wait already.
    var acceptance: String { "\(value) \(open.count)" }
}

/// How long a questionnaire takes: the median of known sheets, else an estimate from its questions.
struct FillingTime {
    let seconds: Double
    /// The number of sheets behind the median.
    let measured: Int?

    /// Fewer people would be described more than the questionnaire.
    private static let fewest = 5
    /// Longer times, in seconds, contain a pause.
    private static let longest: Int64 = 3600

    init(_ definition: QuestionnaireDefinition, sheets: [AssigningStore.Duration]) {
        let fitting = sheets.filter { $0.seconds > 0 && $0.seconds <= Self.longest }
        let known = fitting.map(\.seconds).sorted()
        if Set(fitting.map(\.person)).count >= Self.fewest {
            let middle = known.count / 2
            seconds =
                known.count % 2 == 1 ? Double(known[middle]) : Double(known[middle - 1] + known[middle]) / 2
            measured = known.count
        } else {
            seconds = definition.questions.map { Self.seconds(of: $0.type) }.reduce(10, +)
            measured = nil
        }
    }

    /// Reading, deciding, and typing where there is something to type.
    private static func seconds(of kind: QuestionnaireDefinition.Kind) -> Double {
        switch kind {
        case .single, .yesNo, .sam: 8
        case .slider, .number, .date: 12
        case .multiple: 15
        case .text: 40
        }
    }
}
