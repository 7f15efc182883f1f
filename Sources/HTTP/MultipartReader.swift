import Foundation

/// Reads `multipart/form-data` (RFC 7578) as it comes, whatever the pieces: a boundary may lie across two of them. No more
/// of a file is in memory than a piece and a boundary.
///
/// Ours, because the post processor of libmicrohttpd 0.9.75 needs an open connection, which a form in a test has not, and was
/// found to take bytes that are no form for an empty one, to refuse a boundary of one character and a form with bytes behind
/// its end, to begin two of ten thousand parts twice, and to answer a form without an end as its parts come.
struct MultipartReader {
    private enum State {
        /// Before the first boundary, and behind the last.
        case before, after
        /// Right behind a boundary, before the end of its line or the two dashes at the end of the body.
        case boundary
        case head, value, file
    }

    let upload: Upload
    private let delimiter: [UInt8]
    private var state = State.before
    /// Bytes not processed yet. The first boundary has no line end before it, so one is added.
    private var pending: [UInt8] = [13, 10]
    private var name = ""
    private var value: [UInt8] = []

    private static let blank: [UInt8] = [13, 10, 13, 10]
    private static let headLimit = 4096

    init(_ upload: Upload, boundary: [UInt8]) {
        self.upload = upload
        delimiter = [13, 10, 45, 45] + boundary
    }

    /// Takes the next piece. After a failure pieces are thrown away.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        guard upload.failure == nil, state != .after else { return }
        pending.append(contentsOf: piece)
        while upload.failure == nil, step() {}
    }

    /// Takes the end of the body.
    mutating func finish() {
        upload.closeFile()
        if upload.failure == nil, state != .after { upload.failure = .malformed }
    }

    /// - Returns: false when it needs more bytes.
    private mutating func step() -> Bool {
        switch state {
        case .after: return false
        case .before, .value, .file: return untilDelimiter()
        case .boundary:
            guard pending.count >= 2 else { return false }
            if pending.starts(with: [45, 45]) {
                state = .after
                pending = []
                return false
            }
            if pending.starts(with: [13, 10]) { state = .head } else { upload.failure = .malformed }
            // The line end stays: behind an empty head it is half of the blank line.
            return upload.failure == nil
        case .head: return head()
        }
    }

    /// Passes on the bytes before the next boundary.
    private mutating func untilDelimiter() -> Bool {
        if let end = Self.find(delimiter, in: pending) {
            pass(upTo: end)
            finishPart()
            pending.removeFirst(end + delimiter.count)
            state = .boundary
            return true
        }
        // The last bytes may be the beginning of a boundary.
        let safe = pending.count - (delimiter.count - 1)
        if safe > 0 {
            pass(upTo: safe)
            pending.removeFirst(safe)
        }
        return false
    }

    private mutating func pass(upTo end: Int) {
        switch state {
        case .file:
            pending.withUnsafeBytes { bytes in upload.write(UnsafeRawBufferPointer(rebasing: bytes[..<end])) }
        case .value:
            if value.count + end > Upload.valueLimit {
                upload.failure = .tooMuch
            } else {
                value += pending[..<end]
            }
        default: break
        }
    }

    private mutating func finishPart() {
        switch state {
        case .file: upload.closeFile()
        case .value:
            upload.fields.append(Form.Field(name, bytes: value))
            value = []
        default: break
        }
    }

    private mutating func head() -> Bool {
        guard let end = Self.find(Self.blank, in: pending) else {
            if pending.count > Self.headLimit { upload.failure = .malformed }
            return false
        }
        guard end <= Self.headLimit, let text = String(validating: pending[..<end], as: UTF8.self),
            let name = Multipart.parameter("name", in: text)
        else {
            upload.failure = .malformed
            return false
        }
        guard upload.fields.count + upload.files.count < Upload.fieldLimit else {
            upload.failure = .tooMuch
            return false
        }
        self.name = name
        pending.removeFirst(end + Self.blank.count)
        if let file = Multipart.parameter("filename", in: text) {
            // A field without a chosen file is sent empty and without a name.
            if file.isEmpty {
                state = .before
            } else {
                upload.begin(field: name, name: file, mediaType: Multipart.mediaType(in: text))
                state = .file
            }
        } else {
            state = .value
        }
        return upload.failure == nil
    }

    /// The first occurrence of a pattern; searched by its first byte, which is rare.
    private static func find(_ pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { all in
            pattern.withUnsafeBytes { wanted in
                guard let start = all.baseAddress, let what = wanted.baseAddress else { return nil }
                var place = 0
                while all.count - place >= wanted.count {
                    let room = all.count - place - wanted.count + 1
                    guard let hit = memchr(start + place, Int32(wanted[0]), room) else { return nil }
                    if memcmp(hit, what, wanted.count) == 0 { return UnsafeRawPointer(hit) - start }
                    place = UnsafeRawPointer(hit) - start + 1
                }
                return nil
            }
        }
    }
}
