import Files
import Scheduling
import Studies
import Testing
import Wire

@testable import Research

/// The first columns are one thing in text and in SPSS's format.
@Suite struct ExportCellTests {
    private func number(_ cell: SavFile.Cell) -> Double? {
        if case .number(let number) = cell { number } else { nil }
    }

    @Test func `a moment goes into SPSS's format as the seconds that its text says`() {
        var chance = SplitMix64(57)
        // Before 1970, too, and with parts of a second.
        for _ in 0..<2_000 {
            let moment = Instant(
                milliseconds: Int64(chance.number(below: 8_000_000_000_000)) - 4_000_000_000_000)
            let seconds = number(SavFile.Cell(moment: moment))
            #expect(seconds != nil && seconds == number(.moment(moment.text)), "\(moment.text)")
        }
    }

    /// A prompt that was answered, and one that was not.
    @Test func `the first columns have the kinds that the header says`() {
        let rows = [Instant?.none, Instant(milliseconds: 1_795_000_000_000)].map { prompt in
            ExportRow(
                participant: "S123456", arm: nil, questionnaire: "a", occasion: 2, prompt: prompt,
                state: .missed,
                sheet: nil)
        }
        for row in rows {
            let texts = row.head(as: String.self)
            let cells = row.head(as: SavFile.Cell.self)
            #expect(texts.count == VariableList.head.count && cells.count == texts.count)
            for ((variable, text), cell) in zip(zip(VariableList.head, texts), cells) {
                switch (variable.kind, cell) {
                case (.text, .text(let own)): #expect(own == text, "\(variable.name)")
                case (.number, .number(let own)): #expect(Double(text) == own, "\(variable.name)")
                case (.moment, .number(let own)):
                    #expect(number(.moment(text)) == own, "\(variable.name)")
                case (.number, .missing), (.moment, .missing): #expect(text.isEmpty, "\(variable.name)")
                default: Issue.record("\(variable.name)")
                }
            }
        }
    }
}
