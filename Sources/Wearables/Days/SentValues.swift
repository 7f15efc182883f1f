import Identity
import JSON
import Records
import Scheduling
import Web
import Wire
import Wording

/// The values of one call by their places in it: those that are good so far, and what is wrong with the others (RP-113).
struct SentValues: Sendable {
    private struct Refused {
        /// Nil where what was sent is no id.
        let id: String?
        let errors: FieldErrors
    }

    private(set) var good: [Int: SingleValue] = [:]
    private var refused: [Int: Refused] = [:]

    static let limit = 2_000

    /// Of an id that comes twice the last word counts, also where it is refused.
    /// - Throws: `Problem.invalid` for what is no list of values.
    init(_ fields: InputReader, _ zone: Zone, now: Instant) throws {
        guard let items = fields.value("items")?.array else {
            throw Problem.invalid("items", "errors.required")
        }
        guard items.count <= Self.limit else {
            throw Problem.invalid("items", "health.too_many", ["n": String(Self.limit)])
        }
        try fields.finish()
        var places: [String: Int] = [:]
        for (place, item) in items.enumerated() {
            let id = item["id"]?.string.flatMap { ID<SingleValue>(uuid: $0) }?.text
            if let id, let before = places.updateValue(place, forKey: id) {
                good[before] = nil
                refused[before] = nil
            }
            let inner = InputReader(json: item, prefix: "items.\(place).")
            if let value = SingleValue.read(inner, zone, now: now) {
                good[place] = value
            } else {
                refused[place] = Refused(id: id, errors: inner.errors)
            }
        }
    }

    mutating func change(_ place: Int, to value: SingleValue) { good[place] = value }

    /// - Parameter field: of the value; nil for the whole list.
    mutating func refuse(_ place: Int, _ field: String?, _ key: String, _ values: [String: String] = [:]) {
        guard let value = good.removeValue(forKey: place) else { return }
        let name = field.map { "items.\(place).\($0)" } ?? "items"
        refused[place] = Refused(id: value.id, errors: FieldErrors(name, key, values))
    }

    /// - Throws: `Problem.invalid` with all errors where nothing is good and something is not.
    func check() throws {
        guard good.isEmpty, !refused.isEmpty else { return }
        var errors = FieldErrors()
        for place in refused.keys.sorted() {
            for error in refused[place]?.errors.list ?? [] {
                let isThere = errors.list.last.map { $0.field == error.field && $0.message == error.message }
                if isThere != true { errors.add(FieldErrors(error.field, error.message)) }
            }
        }
        throw Problem.invalid(errors)
    }

    /// What is refused beside what is filed, each with the first thing that is wrong with it.
    func told(_ texts: Texts) -> [FiledMeasurements.Refused] {
        refused.keys.sorted().compactMap { place in
            guard let refused = refused[place], let error = refused.errors.list.first else { return nil }
            return FiledMeasurements.Refused(
                id: refused.id, code: ProblemCode.of(.invalid(refused.errors)),
                message: texts[error.message],
                field: error.field == "items" ? "items.\(place)" : error.field)
        }
    }
}
