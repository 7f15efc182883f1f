import Foundation
import Testing

@testable import PortalTesting

/// Shell scripts of the checkout read a pipe to its end.
///
/// A reader that ends before its input (`grep -q`, `head`) breaks the pipe; the writer fails if it has more to say just then,
/// and with `pipefail` that is the failure of the line: by chance, on a slow machine, with the right text found.
@Suite struct ShellScriptTests {
    private static var early: Regex<Substring> { /\|\s*(?:head\b|grep\s+(?:-\w+\s+)*-\w*q|sed\s[^|]*\dq\b)/ }

    @Test func `no reader of a pipe ends before its input`() throws {
        let scripts = try Self.scripts()
        #expect(scripts.map(\.path).contains(".ci/run") && scripts.count > 10)
        for script in scripts {
            for (number, line) in script.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            where !line.drop(while: \.isWhitespace).hasPrefix("#") {
                #expect(!line.contains(Self.early), "\(script.path), line \(number + 1): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("curl -fsS \"$address\" | grep -q ok", true), ("seq 9 | head -n 1", true),
        ("done | grep -E -q x", true),
        ("grep -q ok \"$file\"", false), ("seq 9 | tail -n 1", false), ("ls | sed -n 1,20p", false),
        ("ls | sed 3q", true),
    ])
    func `such a reader is known by its options`(line: String, isEarly: Bool) {
        #expect(line.contains(Self.early) == isEarly)
    }

    /// Files of `.ci`, `bin` and `Tests` whose first line calls bash.
    private static func scripts() throws -> [(path: String, text: String)] {
        try [".ci", "bin", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Cast.root + "/" + folder).map {
                folder + "/" + $0
            }
        }
        .sorted()
        .compactMap { path in
            let file = Cast.root + "/" + path
            guard let data = FileManager.default.contents(atPath: file), data.starts(with: Array("#!".utf8)),
                data.prefix(40).contains(Array("bash".utf8)), let text = String(data: data, encoding: .utf8)
            else { return nil }
            return (path, text)
        }
    }
}
