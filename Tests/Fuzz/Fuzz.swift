import Foundation
import Glibc
import JSON

@testable import HTTP
@testable import Pictures
@testable import Questionnaires
@testable import Templates
@testable import Web

/// What libFuzzer calls with bytes of its own making. `FUZZ_TARGET` says which parser gets them; every one reads bytes
/// that come from outside, and may refuse them, but never trap, hang or answer what cannot be.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func run(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer,
    _ body: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// What SwiftPM takes for the entry of a program of this name; libFuzzer would bring its own.
@_cdecl("Fuzz_main")
public func main(_ count: CInt, _ arguments: UnsafeMutableRawPointer) -> CInt {
    var count = count
    var arguments = arguments
    return withUnsafeMutablePointer(to: &arguments) { arguments in
        run(&count, UnsafeMutableRawPointer(arguments)) { fuzz($0, $1) }
    }
}

private let target: @Sendable ([UInt8]) -> Void = {
    switch ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "" {
    case "form": Parsers.form
    case "cookie": Parsers.cookie
    case "multipart": Parsers.multipart
    case "range": Parsers.range
    case "json": Parsers.json
    case "target": Parsers.target
    case "template": Parsers.template
    case "questionnaire": Parsers.questionnaire
    case "fhir": Parsers.fhir
    case "picture": Parsers.picture
    default: preconditionFailure("FUZZ_TARGET names no parser")
    }
}()

/// The patterns of the portal, as its table says them: the portal itself takes ten minutes to build with a sanitizer.
private let routes: PatternTree<Int> = {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let table = tests.appendingPathComponent("PortalTests/Goldens/routes.txt")
    let lines = String(decoding: FileManager.default.contents(atPath: table.path) ?? Data(), as: UTF8.self)
    var tree = PatternTree<Int>()
    for (number, line) in lines.split(separator: "\n").enumerated() {
        let words = line.split(separator: " ")
        if words.count > 1 { tree.insert(number, at: Pattern(String(words[1]))) }
    }
    precondition(!tree.values(for: ["my", "appointments"]).isEmpty)
    return tree
}()

private enum Parsers {
    static func form(_ bytes: [UInt8]) {
        guard let form = Form(encoded: bytes) else { return }
        // What was read can be written, and reads as the same.
        let text = form.fields.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(
            separator: "&")
        let again = Form(encoded: Array(text.utf8))
        precondition(again?.fields.filter { !$0.name.isEmpty } == form.fields.filter { !$0.name.isEmpty })
    }

    static func cookie(_ bytes: [UInt8]) {
        guard let target = Target("/") else { return }
        let header = String(decoding: bytes, as: UTF8.self)
        let request = Request(method: .get, target: target, headers: ["Cookie": header])
        _ = request.cookie("sid")
        _ = request.cookie("__Host-sid")
    }

    static func multipart(_ bytes: [UInt8]) {
        guard let target = Target("/") else { return }
        let request = Request(
            method: .post, target: target, headers: ["Content-Type": "multipart/form-data; boundary=b"],
            body: bytes)
        guard let form = Form(body: request) else { return }
        precondition(form.fields.count <= 2_000)
    }

    static func range(_ bytes: [UInt8]) {
        for size in [0, 1, 1000, Int.max] {
            if case .part(let range) = ByteRange.parse(String(decoding: bytes, as: UTF8.self), size: size) {
                precondition(range.lowerBound >= 0 && range.upperBound <= size && !range.isEmpty)
            }
        }
    }

    static func json(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), let written = try? JSONWriter.bytes(of: json) else { return }
        precondition((try? JSON.parse(written)) == json)
    }

    static func target(_ bytes: [UInt8]) {
        guard let target = Target(String(decoding: bytes, as: UTF8.self)) else { return }
        precondition(!target.path.contains("..") || !bytes.isEmpty)
        _ = routes.values(for: target.path)
        _ = NextPath.safe("/" + target.path.joined(separator: "/"))
    }

    static func template(_ bytes: [UInt8]) {
        let source = String(decoding: bytes, as: UTF8.self)
        guard let library = try? Library(sources: ["page": source]) else { return }
        let value = try? ValueEncoder.encode(["name": "<Ada>", "list": ""])
        guard let value, let drawn = try? library.render("page", with: [value]) else { return }
        // Text from a value never becomes an element.
        precondition(source.contains("<Ada>") || !String(decoding: drawn, as: UTF8.self).contains("<Ada>"))
    }

    static func questionnaire(_ bytes: [UInt8]) {
        guard let file = try? QuestionnaireFile.read(bytes) else { return }
        _ = file.visibleSections([:])
    }

    static func picture(_ bytes: [UInt8]) {
        guard let picture = try? PictureFile(drawing: bytes) else { return }
        precondition((1...PictureFile.longest).contains(picture.width))
        precondition((1...PictureFile.longest).contains(picture.height))
        // What was drawn is a picture of the same size.
        let again = try? PictureFile(drawing: picture.bytes)
        precondition(
            again?.width == picture.width && again?.height == picture.height && again?.kind == picture.kind)
    }

    static func fhir(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return }
        guard let read = try? FHIRReader.read(json) else { return }
        _ = try? QuestionnaireFile.read(read.file)
    }
}
