import CMicroHTTPD

/// The fields as received, before any check.
struct RawFields {
    var headers = Headers()
    var isBroken = false
}

func readFields(of connection: OpaquePointer) -> RawFields {
    var fields = RawFields()
    withUnsafeMutablePointer(to: &fields) { pointer in
        _ = MHD_get_connection_values_n(
            connection, .HEADER_KIND,
            { context, _, name, nameSize, value, valueSize in
                guard let context, let name else { return .NO }
                let fields = context.assumingMemoryBound(to: RawFields.self)
                let nameBytes = UnsafeRawBufferPointer(start: name, count: nameSize)
                let valueBytes = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
                if Guard.isBroken(name: nameBytes, value: valueBytes) { fields.pointee.isBroken = true }
                fields.pointee.headers.append(
                    String(decoding: nameBytes, as: UTF8.self), String(decoding: valueBytes, as: UTF8.self))
                return .YES
            }, pointer)
    }
    return fields
}
