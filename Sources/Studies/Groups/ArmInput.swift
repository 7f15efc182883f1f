import JSON
import Therapies
import Web
import Wire
import Wording

extension StudyArm {
    package static let most = 12
    private static let ratios = 1...20
    private static let crossings = 1...3650
    private static let titleLimit = 100

    /// The list that a call sends: strings and objects.
    static func readList(_ fields: InputReader) -> [StudyArm] {
        let list = fields.list("arms") ?? []
        if !fields.has("arms") { fields.refuse("arms", "errors.required") }
        let arms = list.prefix(most + 1).enumerated().compactMap { index, json -> StudyArm? in
            guard case .object = json else {
                let known = json.string.flatMap(Therapy.Arm.init)
                if known == nil { fields.refuse("arms", "errors.choice") }
                return known.map { StudyArm($0) }
            }
            let inner = fields.inner(json, "arms.\(index).")
            let arm = read(inner)
            fields.adopt(inner)
            return arm
        }
        return checked(arms, sent: list.count, fields)
    }

    private static func read(_ fields: InputReader) -> StudyArm? {
        let key = fields.text("key", required: true, limit: 30)
        let title = fields.localized("title", limit: titleLimit, lines: false, over: LocalizedText())
        let app = fields.bool("app") ?? true
        let interventions = fields.bool("interventions") ?? app
        let ratio = fields.whole("ratio", ratios, first: 1) ?? 1
        let crossing = crossing(fields, "crosses_after_days")
        guard let key else { return nil }
        return made(
            key, title, app: app, interventions: interventions, ratio: ratio, crossesAfter: crossing, fields,
            named: \.self)
    }

    /// From the portal's form: a box for each of the house's three, numbered rows for the study's own; empty rows are ignored.
    /// - Parameter known: the stored ones, whose order stays.
    static func read(form fields: InputReader, known: [StudyArm]) -> [StudyArm] {
        let house = StudyDesign.arms.compactMap { name -> StudyArm? in
            let isOn = fields.bool("arm_\(name)") ?? false
            let ratio = fields.whole("arm_\(name)_ratio", ratios, first: 1) ?? 1
            guard isOn, let arm = Therapy.Arm(rawValue: name) else { return nil }
            // A call may have given it another name, or a day on which it crosses over, which have no field.
            let stored = known[Key(arm)]
            return StudyArm(
                key: Key(arm), title: stored?.title, treatment: arm, ratio: ratio,
                crossesAfter: stored?.crossesAfter)
        }
        let own = (1...most).compactMap { number -> StudyArm? in
            let row = "group_\(number)"
            let title = fields.localizedFields("\(row)_title", limit: titleLimit, lines: false)
            let app = fields.bool("\(row)_app") ?? false
            let interventions = fields.bool("\(row)_interventions") ?? false
            let ratio = fields.whole("\(row)_ratio", ratios, first: 1) ?? 1
            guard fields.value("\(row)_key") != nil || !title.isEmpty,
                let key = fields.text("\(row)_key", required: true, limit: 30)
            else { return nil }
            let crossing = crossing(fields, "\(row)_crosses_after_days")
            return made(
                key, title, app: app, interventions: interventions, ratio: ratio, crossesAfter: crossing,
                fields
            ) {
                "\(row)_\($0)"
            }
        }
        let all = house + own
        let place = { (arm: StudyArm) in known.firstIndex { $0.key == arm.key } ?? known.count }
        let ordered = all.enumerated().sorted {
            (place($0.element), $0.offset) < (place($1.element), $1.offset)
        }
        return checked(ordered.map(\.element), sent: all.count, fields)
    }

    private static func crossing(_ fields: InputReader, _ name: String) -> Int? {
        fields.value(name) == nil ? nil : fields.whole(name, crossings, first: 1)
    }

    private static func made(
        _ key: String, _ title: LocalizedText, app: Bool, interventions: Bool, ratio: Int,
        crossesAfter crossing: Int?, _ fields: InputReader, named name: (String) -> String
    ) -> StudyArm? {
        guard isKey(key) else {
            fields.refuse(name("key"), "studies.arm_key")
            return nil
        }
        let treatment: Therapy.Arm = !app ? .noApp : interventions ? .full : .noInterventions
        if !app, interventions { fields.refuse(name("interventions"), "studies.arm_needs_app") }
        if crossing != nil, treatment != .noInterventions {
            fields.refuse(name("crosses_after_days"), "studies.crossing_needs_waiting")
        }
        let house = Therapy.Arm(rawValue: key)
        // Files and older programs read the house's names as what they say.
        if let house, house != treatment { fields.refuse(name("key"), "studies.arm_of_house") }
        if house == nil, title.isEmpty {
            fields.refuse(name(fields.isForm ? "title_de" : "title"), "errors.required")
        }
        return StudyArm(
            key: Key(rawValue: key), title: title.isEmpty ? nil : title, treatment: treatment, ratio: ratio,
            crossesAfter: crossing)
    }

    private static func checked(_ arms: [StudyArm], sent: Int, _ fields: InputReader) -> [StudyArm] {
        if Set(arms.map(\.key)).count < arms.count { fields.refuse("arms", "errors.choice") }
        if sent < 2 { fields.refuse("arms", "studies.two_arms") }
        if sent > most { fields.refuse("arms", "studies.arms_many", ["n": String(most)]) }
        return arms
    }

    private static func isKey(_ text: String) -> Bool {
        guard let first = text.utf8.first, (97...122).contains(first) else { return false }
        return text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: "_")
        }
    }
}
