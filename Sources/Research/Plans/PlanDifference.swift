import JSON
import Wire

/// What two plans say differently, place by place.
struct PlanDifference: Documented, Decodable {
    static let type = "plan_difference"

    /// As in the file, with the name in place of a number where there is one: `questionnaires.phq-9@t1.is_onetime`.
    var place: String
    /// Of the study, as JSON; nil for what it does not have.
    var here: String?
    /// Of the file.
    var there: String?

    static let narrowed: [String: Schema] = [:]
    static let example = PlanDifference(place: "groups.sample_size", here: "120", there: "90")

    /// In the order of the first, then what only the second has.
    static func all(here: JSON, there: JSON) -> [PlanDifference] {
        compare(here, there, at: "")
    }

    private static func compare(_ here: JSON?, _ there: JSON?, at place: String) -> [PlanDifference] {
        let here = said(here)
        let there = said(there)
        if here == there { return [] }
        // Of a questionnaire's own definition it is said that it is another one, not where.
        if place.hasPrefix("definitions."), let here, let there {
            if isSame(here, there) { return [] }
            return [PlanDifference(place: place, here: name(of: here), there: name(of: there))]
        }
        if let here, let there, let first = parts(of: here), let second = parts(of: there) {
            let ours = Dictionary(first.map { ($0.name, $0.value) }) { one, _ in one }
            let theirs = Dictionary(second.map { ($0.name, $0.value) }) { one, _ in one }
            let names = first.map(\.name) + second.map(\.name).filter { ours[$0] == nil }
            return names.flatMap { name in
                compare(ours[name], theirs[name], at: place.isEmpty ? name : "\(place).\(name)")
            }
        }
        return [PlanDifference(place: place, here: here.map(text), there: there.map(text))]
    }

    /// What is null, or empty, says nothing.
    private static func said(_ value: JSON?) -> JSON? {
        switch value {
        case nil, .null: nil
        case .array(let list) where list.isEmpty: nil
        case .object(let members) where members.allSatisfy({ said($0.value) == nil }): nil
        case let value: value
        }
    }

    /// Members by their names, elements by what they are called, else by their number; nil for what has none.
    private static func parts(of value: JSON) -> [(name: String, value: JSON)]? {
        switch value {
        case .object(let members): return members.map { ($0.key, $0.value) }
        case .array(let list):
            let names = list.map(name)
            let isNamed = !names.contains(nil) && Set(names).count == names.count
            return list.enumerated().map {
                (isNamed ? names[$0.offset] ?? "" : String($0.offset), $0.element)
            }
        default: return nil
        }
    }

    private static func name(of element: JSON) -> String? {
        if let text = element.string { return text }
        if let key = element["questionnaire_key"]?.string {
            let rest = ["source", "scale", "time_point", "day"].compactMap { element[$0] }.filter {
                $0 != .null
            }
            return ([key] + rest.map(text)).joined(separator: "@")
        }
        if let key = element["key"]?.string { return key }
        return element["kind"]?.string
    }

    private static func text(_ value: JSON) -> String {
        if let text = value.string { return text }
        return (try? JSONWriter.bytes(of: value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Whether two files of a questionnaire are one, whatever their versions are called.
    static func isSame(_ first: JSON, _ second: JSON) -> Bool {
        let plain = { (file: JSON) -> [JSON.Member] in
            guard case .object(let members) = file else { return [] }
            return members.filter { $0.key != "version" }.sorted { $0.key < $1.key }
        }
        return plain(first) == plain(second)
    }
}
