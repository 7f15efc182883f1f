import CPNG
import CTurboJPEG
import CWebP

/// Decoding and writing again. Only for the child that is made for it: decoders are where files do harm.
extension PictureFile {
    /// Of JPEG and WebP with losses, in hundredths: the second where the first makes more of a file than it was.
    private static let qualities: [Int32] = [88, 70]

    /// In the process that calls it.
    init(drawing file: [UInt8]) throws(Fault) {
        switch Kind(head: file) {
        case .png: self = try Self.png(file)
        case .jpeg: self = try Self.jpeg(file)
        case .webP: self = try Self.webP(file)
        case nil: throw .unknown
        }
    }

    /// Before anything is decoded.
    private static func check(_ width: Int32, _ height: Int32) throws(Fault) {
        guard width > 0, height > 0 else { throw .broken }
        guard width <= longest, height <= longest else { throw .tooLarge }
    }

    // MARK: PNG

    private static func png(_ file: [UInt8]) throws(Fault) -> PictureFile {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // libpng keeps pointing to the file until it is read.
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.count)
        defer { memory.deallocate() }
        _ = memory.initialize(from: file)
        guard png_image_begin_read_from_memory(&image, memory.baseAddress, memory.count) != 0 else {
            throw .broken
        }
        // Without a word on it in the file, libpng takes sixteen bits for linear light: they would come out washed out.
        image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
        try check(Int32(clamping: image.width), Int32(clamping: image.height))
        // Colours of eight bits; numbers of a palette stay numbers.
        image.format &= png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLORMAP)
        let isPalette = image.format & png_uint_32(PNG_FORMAT_FLAG_COLORMAP) != 0
        let channels =
            (image.format & png_uint_32(PNG_FORMAT_FLAG_COLOR) != 0 ? 3 : 1)
            + (image.format & png_uint_32(PNG_FORMAT_FLAG_ALPHA) != 0 ? 1 : 0)
        var colours = [UInt8](repeating: 0, count: 256 * channels)
        let count = Int(image.width) * Int(image.height) * (isPalette ? 1 : channels)
        var pixels = [UInt8](repeating: 0, count: count)
        guard png_image_finish_read(&image, nil, &pixels, 0, &colours) != 0 else { throw .broken }
        // Compressing never needs more than this.
        var written = count + count / 100 + Int(image.height) + 4096
        var bytes = [UInt8](repeating: 0, count: written)
        guard png_image_write_to_memory(&image, &bytes, &written, 0, pixels, 0, colours) != 0 else {
            throw .broken
        }
        return PictureFile(
            .png, width: Int(image.width), height: Int(image.height), Array(bytes.prefix(Int(written))))
    }

    // MARK: JPEG

    private static func jpeg(_ file: [UInt8]) throws(Fault) -> PictureFile {
        guard let reader = tjInitDecompress(), let writer = tjInitCompress() else { throw .broken }
        defer {
            tjDestroy(reader)
            tjDestroy(writer)
        }
        let length = UInt(file.count)
        var width: Int32 = 0
        var height: Int32 = 0
        var sampling: Int32 = 0
        var colours: Int32 = 0
        let isHeadRead = tjDecompressHeader3(reader, file, length, &width, &height, &sampling, &colours) == 0
        // Bytes between two segments are a warning; the head is read all the same.
        guard isHeadRead || (tjGetErrorCode(reader) == TJERR_WARNING.rawValue && sampling >= 0) else {
            throw .broken
        }
        try check(width, height)
        let format = pixelFormat(colours)
        var pixels = [UInt8](
            repeating: 0,
            count: Int(width) * Int(height) * (format == TJPF_CMYK ? 4 : format == TJPF_GRAY ? 1 : 3))
        // A file of thousands of scans would take hours; one that was cut off is drawn as far as it goes.
        let isRead = tjDecompress2(
            reader, file, length, &pixels, width, 0, height, format.rawValue, Int32(TJFLAG_LIMITSCANS))
        guard isRead == 0 || tjGetErrorCode(reader) == TJERR_WARNING.rawValue else { throw .broken }
        var bytes: [UInt8] = []
        for quality in qualities where bytes.isEmpty || bytes.count > file.count {
            var output: UnsafeMutablePointer<UInt8>?
            var written: UInt = 0
            defer { tjFree(output) }
            let result = tjCompress2(
                writer, pixels, width, 0, height, format.rawValue, &output, &written, sampling, quality, 0)
            guard result == 0, let output else { throw .broken }
            bytes = Array(UnsafeBufferPointer(start: output, count: Int(written)))
        }
        return PictureFile(
            .jpeg, width: Int(width), height: Int(height),
            Array(bytes.prefix(2)) + (JPEGOrientation.segment(of: file) ?? []) + bytes.dropFirst(2))
    }

    private static func pixelFormat(_ colours: Int32) -> TJPF {
        switch UInt32(bitPattern: colours) {
        case TJCS_GRAY.rawValue: TJPF_GRAY
        case TJCS_CMYK.rawValue, TJCS_YCCK.rawValue: TJPF_CMYK
        default: TJPF_RGB
        }
    }

    // MARK: WebP

    private static func webP(_ file: [UInt8]) throws(Fault) -> PictureFile {
        var features = WebPBitstreamFeatures()
        guard WebPGetFeatures(file, file.count, &features) == VP8_STATUS_OK else { throw .broken }
        try check(features.width, features.height)
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.count)
        defer { memory.deallocate() }
        _ = memory.initialize(from: file)
        var data = WebPData(bytes: memory.baseAddress, size: memory.count)
        var options = WebPAnimDecoderOptions()
        guard WebPAnimDecoderOptionsInit(&options) != 0, let decoder = WebPAnimDecoderNew(&data, &options)
        else {
            throw .broken
        }
        defer { WebPAnimDecoderDelete(decoder) }
        var pixels: UnsafeMutablePointer<UInt8>?
        var time: Int32 = 0
        guard WebPAnimDecoderGetNext(decoder, &pixels, &time) != 0, let pixels else { throw .broken }
        let isLossless = features.format == 2
        var bytes: [UInt8] = []
        for quality in qualities where bytes.isEmpty || bytes.count > file.count && !isLossless {
            var output: UnsafeMutablePointer<UInt8>?
            defer { WebPFree(output) }
            let written =
                isLossless
                ? WebPEncodeLosslessRGBA(pixels, features.width, features.height, features.width * 4, &output)
                : WebPEncodeRGBA(
                    pixels, features.width, features.height, features.width * 4, Float(quality), &output)
            guard written > 0, let output else { throw .broken }
            bytes = Array(UnsafeBufferPointer(start: output, count: written))
        }
        return PictureFile(.webP, width: Int(features.width), height: Int(features.height), bytes)
    }
}
