import CQREncode
import Templates
import Wording

/// A QR code drawn as inline SVG: one path of dark modules on white, with a quiet zone of four modules.
package enum QRCode {
    private static let quietZone = 4
    private static let escaped = Escaping(["&": "&amp;", "<": "&lt;"])

    /// Nil only when libqrencode refuses the text.
    package static func svg(_ text: String, title: String) -> HTML? {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        let size = width + 2 * quietZone
        var path = ""
        for y in 0..<width {
            for x in 0..<width where modules[y * width + x] & 1 == 1 {
                path += "M\(x + quietZone) \(y + quietZone)h1v1h-1z"
            }
        }
        // The title is a sentence of this program, never text from outside.
        let name = Self.escaped(title)
        return HTML(
            trusted: """
                <svg class="qr" viewBox="0 0 \(size) \(size)" role="img" shape-rendering="crispEdges">\
                <title>\(name)</title><path class="qr__paper" d="M0 0h\(size)v\(size)H0z"/>\
                <path class="qr__ink" d="\(path)"/></svg>
                """)
    }
}
