public import Database
public import Wire
import Wording

// How the wire's values are stored: instants as milliseconds, dates as YYYY-MM-DD.

extension Instant: SQLConvertible {
    public var sqlValue: SQLValue { .integer(milliseconds) }
    public init?(sqlValue: SQLValue) {
        guard case .integer(let value) = sqlValue else { return nil }
        self.init(milliseconds: value)
    }
}

extension LocalDate: SQLConvertible {
    public var sqlValue: SQLValue { .text(text) }
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }
}

extension Gender: SQLConvertible {}

extension Language: SQLConvertible {}
extension LanguageVariant: SQLConvertible {}
