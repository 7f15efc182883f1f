import CReadStat
import Glibc

/// Writes a table in the format of SPSS, row by row (ReadStat). The bytes are taken out between the rows.
public final class SavFile {
    /// ReadStat's error message.
    public struct Failure: Error {
        public let reason: String
    }

    /// A column.
    public struct Variable: Sendable {
        public let name: String
        public let label: String
        /// The meaning of its values: all of them, or some; none for texts.
        public let values: [(value: Double, label: String)]
        public let kind: Kind
        /// Whether its values are one of a few, and not measures.
        public let isNominal: Bool
        /// A value that is declared to be none; a text has at most eight bytes.
        public let missing: Cell?

        public init(
            name: String, label: String, values: [(value: Double, label: String)] = [], _ kind: Kind,
            isNominal: Bool = false, missing: Cell? = nil
        ) {
            self.missing = missing
            self.name = name
            self.label = label
            self.values = values
            self.kind = kind
            self.isNominal = isNominal
        }
    }

    /// The type of a column.
    public enum Kind: Sendable, Equatable {
        case number
        /// With room for so many bytes, at least one.
        case text(bytes: Int)
        /// Seconds, shown as a day, or as a moment.
        case day, moment
    }

    /// The seconds of a moment as the format counts them: since the first day of the Gregorian calendar.
    public static func seconds(since1970 seconds: Int64) -> Double { Double(seconds + 12_219_379_200) }

    public enum Cell: Sendable {
        case missing
        case number(Double)
        case text(String)
    }

    /// The longest text of the format, in pieces of 255: very long strings. A longer one is cut at a whole character.
    private static let textBytes = 1...32_767
    private static let labelBytes = 250
    private static let valueLabelBytes = 119

    private let writer: UnsafeMutablePointer<readstat_writer_t>
    private var variables: [(pointer: UnsafeMutablePointer<readstat_variable_t>, width: Int)] = []
    private var missingTexts: [UnsafeMutablePointer<CChar>] = []
    private let collected = Collected()

    private final class Collected {
        var bytes: [UInt8] = []
    }

    /// - Parameters:
    ///   - rows: their exact number, which the header states.
    ///   - seconds: since 1970, as the time of the file.
    /// - Throws: `Failure`.
    public init(_ list: [Variable], label: String, rows: Int, seconds: Int64) throws {
        guard let writer = readstat_writer_init() else { throw Failure(reason: "no memory") }
        self.writer = writer
        readstat_set_data_writer(writer) { data, count, context in
            guard let data, let context else { return -1 }
            let collected = Unmanaged<Collected>.fromOpaque(context).takeUnretainedValue()
            collected.bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
            return count
        }
        try check(readstat_writer_set_compression(writer, READSTAT_COMPRESS_ROWS))
        try check(readstat_writer_set_file_label(writer, Self.cut(label, 60)))
        try check(readstat_writer_set_file_timestamp(writer, time_t(seconds)))
        for (index, variable) in list.enumerated() { try add(variable, index) }
        let context = Unmanaged.passUnretained(collected).toOpaque()
        try check(readstat_begin_writing_sav(writer, context, rows))
    }

    deinit {
        readstat_writer_free(writer)
        for text in missingTexts { free(text) }
    }

    private func add(_ variable: Variable, _ index: Int) throws {
        var type = READSTAT_TYPE_DOUBLE
        var width = 0
        if case .text(let bytes) = variable.kind {
            type = READSTAT_TYPE_STRING
            width = min(max(bytes, Self.textBytes.lowerBound), Self.textBytes.upperBound)
        }
        guard let pointer = readstat_add_variable(writer, variable.name, type, width) else {
            throw Failure(reason: "variable \(variable.name)")
        }
        readstat_variable_set_label(pointer, Self.cut(variable.label, Self.labelBytes))
        if !variable.values.isEmpty, width == 0 {
            let set = readstat_add_label_set(writer, READSTAT_TYPE_DOUBLE, "labels\(index)")
            for entry in variable.values {
                readstat_label_double_value(set, entry.value, Self.cut(entry.label, Self.valueLabelBytes))
            }
            readstat_variable_set_label_set(pointer, set)
        }
        let isNominal = variable.isNominal || width > 0
        readstat_variable_set_measure(pointer, isNominal ? READSTAT_MEASURE_NOMINAL : READSTAT_MEASURE_SCALE)
        switch variable.missing {
        case .number(let value): try check(readstat_variable_add_missing_double_value(pointer, value))
        case .text(let text):
            // ReadStat keeps the pointer until the header is written.
            guard let kept = strdup(text) else { throw Failure(reason: "no memory") }
            missingTexts.append(kept)
            try check(readstat_variable_add_missing_string_value(pointer, kept))
        case .missing, nil: break
        }
        switch variable.kind {
        case .day: readstat_variable_set_format(pointer, "SDATE10")
        case .moment: readstat_variable_set_format(pointer, "DATETIME20")
        case .number, .text: break
        }
        variables.append((pointer, width))
    }

    /// - Parameter cells: one for each variable, in their order.
    public func add(_ cells: [Cell]) throws {
        try check(readstat_begin_row(writer))
        for (variable, cell) in zip(variables, cells) {
            switch cell {
            case .number(let value) where variable.width == 0:
                try check(readstat_insert_double_value(writer, variable.pointer, value))
            case .text(let text) where variable.width > 0:
                let kept = Self.cut(text, variable.width)
                try check(readstat_insert_string_value(writer, variable.pointer, kept))
            default: try check(readstat_insert_missing_value(writer, variable.pointer))
            }
        }
        try check(readstat_end_row(writer))
    }

    public func end() throws { try check(readstat_end_writing(writer)) }

    /// The bytes since they were last taken.
    public func taken() -> [UInt8] {
        defer { collected.bytes.removeAll(keepingCapacity: true) }
        return collected.bytes
    }

    private static func cut(_ text: String, _ limit: Int) -> String {
        let plain = text.utf8.contains(0) ? text.filter { $0 != "\0" } : text
        guard plain.utf8.count > limit else { return plain }
        var kept = ""
        var count = 0
        for character in plain {
            count += character.utf8.count
            if count > limit { break }
            kept.append(character)
        }
        return kept
    }

    private func check(_ code: readstat_error_t) throws {
        if code == READSTAT_OK { return }
        throw Failure(reason: readstat_error_message(code).map { String(cString: $0) } ?? "code \(code)")
    }
}
