import JSON

extension FHIRItemNotes {
    /// Notes what an item that became a scale says beyond its sum: a scale has no condition, and nothing below it.
    func noteScale(_ item: JSON, _ place: String) {
        note(item, place)
        for index in (item["enableWhen"]?.array ?? []).indices {
            pieces.note("\(place).enableWhen[\(index)]", "exchange.when")
        }
        for (index, inner) in (item["item"]?.array ?? []).enumerated() {
            leaveOut(inner, "\(place).item[\(index)]", "exchange.left_below")
        }
    }
}
