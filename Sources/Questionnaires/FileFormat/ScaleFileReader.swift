import JSON

/// Reads the scales: how answers become numbers.
struct ScaleFileReader {
    let file: FilePieces
    /// All question keys of the file, also of faulty questions.
    let known: Set<String>

    func scales(_ json: JSON?, _ sections: [QuestionnaireDefinition.Section]) -> [Scale] {
        guard let json = file.present(json), let values = file.list(json, "scales") else { return [] }
        let questions = Dictionary(
            sections.flatMap(\.questions).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var keys: Set<String> = []
        return values.enumerated().compactMap { index, value in
            let place = "scales[\(index)]"
            let scale = scale(value, place, questions)
            if let scale, !keys.insert(scale.key).inserted {
                file.fault(place + ".key", "file.key_twice", ["key": scale.key])
            }
            return scale
        }
    }

    private static let scaleKeys: Set<String> = [
        "key", "title", "method", "items", "reversed", "factor", "percent", "minimum_answered", "range",
        "higher_is_worse", "cutoff", "reliability", "standard_deviation",
    ]

    private func scale(
        _ json: JSON, _ place: String, _ questions: [String: QuestionnaireDefinition.Question]
    ) -> Scale? {
        guard file.isObject(json, place) else { return nil }
        file.known(json, place, Self.scaleKeys)
        let key = file.key(json["key"], place + ".key")
        let title = file.text(json["title"], place + ".title", isRequired: true)
        let method = file.choice(json["method"], place + ".method", ["sum", "mean"], isRequired: true)
        let items = items(json["items"], place + ".items", questions)
        let reversed =
            file.present(json["reversed"]).map {
                self.items($0, place + ".reversed", questions, mayBeEmpty: true)
            } ?? []
        let known = Set(items)
        for (index, item) in reversed.enumerated() where !known.contains(item) {
            file.fault("\(place).reversed[\(index)]", "file.reversed", ["key": item])
        }
        let isPercent = file.bool(json["percent"], place + ".percent") ?? false
        sameRanges(items, reversed, isPercent, place, questions)
        let minimum = file.number(json["minimum_answered"], place + ".minimum_answered")
        if let minimum, minimum <= 0 || minimum > 1 { file.fault(place + ".minimum_answered", "file.share") }
        let reliability = file.number(json["reliability"], place + ".reliability")
        if let reliability, reliability < 0 || reliability > 1 {
            file.fault(place + ".reliability", "file.share")
        }
        let deviation = file.number(json["standard_deviation"], place + ".standard_deviation")
        if let deviation, deviation <= 0 { file.fault(place + ".standard_deviation", "file.positive") }
        let range = scaleRange(json["range"], place + ".range")
        let factor = file.number(json["factor"], place + ".factor")
        let direction = file.bool(json["higher_is_worse"], place + ".higher_is_worse")
        let cutoff = file.number(json["cutoff"], place + ".cutoff")
        guard let key, let title, let method = method.flatMap(Scale.Method.init(rawValue:)), !items.isEmpty
        else {
            return nil
        }
        return Scale(
            key: key, title: title, method: method, items: items, reversed: Set(reversed),
            factor: factor ?? 1,
            isPercent: isPercent, minimumAnswered: minimum, range: range, higherIsWorse: direction,
            cutoff: cutoff,
            reliability: reliability, standardDeviation: deviation)
    }

    private func items(
        _ json: JSON?, _ place: String, _ questions: [String: QuestionnaireDefinition.Question],
        mayBeEmpty: Bool = false
    ) -> [String] {
        guard let values = file.list(json, place) else { return [] }
        if values.isEmpty && !mayBeEmpty { file.fault(place, "file.empty") }
        var seen: Set<String> = []
        return values.enumerated().compactMap { index, value in
            let place = "\(place)[\(index)]"
            guard let key = file.string(value, place, isRequired: true) else { return nil }
            guard let question = questions[key] else {
                // A faulty question was reported already.
                if !known.contains(key) { file.fault(place, "file.no_question", ["key": key]) }
                return nil
            }
            if question.possibleRange == nil { file.fault(place, "file.item_type", ["key": key]) }
            if !seen.insert(key).inserted { file.fault(place, "file.key_twice", ["key": key]) }
            return key
        }
    }

    /// Items to be added up, and especially reversed ones, must have the same range.
    private func sameRanges(
        _ items: [String], _ reversed: [String], _ isPercent: Bool, _ place: String,
        _ questions: [String: QuestionnaireDefinition.Question]
    ) {
        guard !reversed.isEmpty || isPercent else { return }
        let ranges = Set(
            items.compactMap { questions[$0]?.possibleRange }.map { [$0.lowerBound, $0.upperBound] })
        if ranges.count > 1 {
            file.fault(place + (reversed.isEmpty ? ".percent" : ".reversed"), "file.ranges")
        }
    }

    private func scaleRange(_ json: JSON?, _ place: String) -> ClosedRange<Double>? {
        guard let json = file.present(json), let values = file.list(json, place) else { return nil }
        let numbers = values.compactMap(\.number)
        guard values.count == 2, numbers.count == 2, numbers[0] < numbers[1] else {
            file.fault(place, "file.range")
            return nil
        }
        return numbers[0]...numbers[1]
    }
}
