import CPostgreSQL

/// The whole answer to a statement, in PostgreSQL's binary format.
final class PostgreSQLResult: RowSource {
    private let result: OpaquePointer?
    private let types: [Oid]
    let count: Int32
    var row: Int32 = 0

    /// Takes the result over, and clears it at the end.
    init(_ result: OpaquePointer?, _ text: String) {
        self.result = result
        let columns = 0..<PQnfields(result)
        types = columns.map { PQftype(result, $0) }
        count = PQntuples(result)
        super.init(text, columns: columns.map { String(cString: PQfname(result, $0)) })
    }

    deinit { PQclear(result) }

    override func value(at place: Int) -> SQLValue {
        let column = Int32(place)
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else {
            return .null
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        switch types[place] {
        // int8, int4, int2, oid
        case 20: return .integer(Int64(bitPattern: Self.number(bytes)))
        case 23: return .integer(Int64(Int32(truncatingIfNeeded: Self.number(bytes))))
        case 21: return .integer(Int64(Int16(truncatingIfNeeded: Self.number(bytes))))
        case 26: return .integer(Int64(Self.number(bytes)))
        case 16: return .integer(bytes.first == 0 ? 0 : 1)
        case 701: return .real(Double(bitPattern: Self.number(bytes)))
        case 700: return .real(Double(Float(bitPattern: UInt32(Self.number(bytes)))))
        case 1700: return Self.numeric(bytes)
        case 17: return .blob(Array(bytes))
        default: return .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A sum of whole numbers, or their mean: digits to the base of ten thousand behind their count, weight, sign and scale.
    private static func numeric(_ bytes: UnsafeRawBufferPointer) -> SQLValue {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(number(bytes[$0..<$0 + 2])))
        }
        guard words.count >= 4 else { return .null }
        let digits = words.dropFirst(4)
        let isNegative = words[2] != 0
        if words[3] == 0, Int(words[1]) < 4 {
            let places = Int(words[1]) + 1
            let whole = (0..<places).reduce(Int64(0)) {
                $0 * 10_000 + Int64($1 < digits.count ? digits[4 + $1] : 0)
            }
            return .integer(isNegative ? -whole : whole)
        }
        var text = isNegative ? "-" : ""
        text += digits.reduce("") { $0 + String(repeating: "0", count: 4 - String($1).count) + String($1) }
        return .real((Double(text + "e\((Int(words[1]) + 1 - digits.count) * 4)") ?? .nan))
    }
}

/// A value as it is sent: numbers and texts as text, which fits every type that a column can have; bytes as they are.
struct PostgreSQLValue {
    let bytes: [CChar]?
    let isBinary: Bool

    /// - Throws: `DatabaseError` for a text with U+0000, which this engine cannot keep.
    init(_ value: SQLValue, _ statement: String) throws {
        isBinary = if case .blob = value { true } else { false }
        switch value {
        case .null: bytes = nil
        case .integer(let number): bytes = Self.text(String(number))
        case .real(let number):
            // A column of whole numbers takes no fraction, not even `.0`.
            let whole = Int64(exactly: number)
            bytes = Self.text(whole.map { String($0) } ?? String(number))
        case .text(let text):
            if text.utf8.contains(0) { throw DatabaseError("a text with U+0000", statement) }
            bytes = Self.text(text)
        case .blob(let blob): bytes = blob.map { CChar(bitPattern: $0) }
        }
    }

    private static func text(_ text: String) -> [CChar] { text.utf8.map { CChar(bitPattern: $0) } + [0] }
}

extension [PostgreSQLValue] {
    /// The three lists that libpq takes.
    func withPointers<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> T
    ) -> T {
        let lengths = map { Int32($0.bytes?.count ?? 0) }
        let formats: [Int32] = map { $0.isBinary ? 1 : 0 }
        // One block for all, as each pointer has to live until the call is over; never empty, so that it has an address.
        var all: [CChar] = [0]
        var places: [Int?] = []
        for value in self {
            places.append(value.bytes == nil ? nil : all.count)
            all += value.bytes ?? []
        }
        return all.withUnsafeBufferPointer { block in
            let start = block.baseAddress
            let pointers = places.map { place in place.flatMap { place in start.map { $0 + place } } }
            return body(pointers, lengths, formats)
        }
    }
}
