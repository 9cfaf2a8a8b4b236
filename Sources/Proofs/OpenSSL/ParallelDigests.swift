#if canImport(CIPSecMB)
    private import CIPSecMB
#endif

/// Says which intel-ipsec-mb this process is linked with.
public enum ParallelDigestLibrary {
    /// For example `1.3.0`; `nil` on processors that it is not made for.
    public static var inUse: String? {
        #if canImport(CIPSecMB)
            guard let text = unsafe imb_get_version_str() else { return nil }
            return unsafe String(cString: text)
        #else
            nil
        #endif
    }

    /// The version of the headers that this was built with; empty where it is not used.
    public static var builtWith: String {
        #if canImport(CIPSecMB)
            IMB_VERSION_STR
        #else
            ""
        #endif
    }
}

#if canImport(CIPSecMB)
    /// Computes SHA-256 (FIPS 180-4) of many inputs at once, for one thread, by intel-ipsec-mb: up to 16 of them in the lanes
    /// of a vector. With AVX-512 that takes a third of the time of OpenSSL, which takes one after the other.
    @safe final class ParallelDigests {
        /// How many octets an input may have: the library counts in 16 bits.
        static let lengths = 1..<65_472

        private let manager: UnsafeMutablePointer<IMB_MGR>

        /// Fails if the library has no memory, or does not pass its own tests on this processor.
        init?() {
            guard let manager = unsafe alloc_mb_mgr(0) else { return nil }
            unsafe self.manager = manager
            unsafe init_mb_mgr_auto(manager, nil)
            guard unsafe imb_get_errno(manager) == 0,
                unsafe manager.pointee.features & IMB_FEATURE_SELF_TEST_PASS != 0
            else { return nil }
        }

        deinit { unsafe free_mb_mgr(manager) }

        /// Writes the digests of ranges of bytes, 32 octets each, at the ranges' places. Those of other ``lengths`` are left
        /// out.
        ///
        /// - Returns: whether all were computed.
        func write(
            of ranges: [Range<Int>], in bytes: UnsafeBufferPointer<UInt8>, to output: UnsafeMutableBufferPointer<UInt8>
        ) -> Bool {
            var missing = 0
            func count(_ job: UnsafeMutablePointer<IMB_JOB>?) {
                if let job = unsafe job, unsafe job.pointee.status == IMB_STATUS_COMPLETED { missing -= 1 }
            }
            for (place, range) in ranges.enumerated() where Self.lengths.contains(range.count) {
                missing += 1
                guard let job = unsafe manager.pointee.get_next_job(manager) else { break }
                unsafe job.pointee.cipher_mode = IMB_CIPHER_NULL
                unsafe job.pointee.cipher_direction = IMB_DIR_ENCRYPT
                unsafe job.pointee.chain_order = IMB_ORDER_HASH_CIPHER
                unsafe job.pointee.hash_alg = IMB_AUTH_SHA_256
                unsafe job.pointee.src = bytes.extracting(range).baseAddress
                unsafe job.pointee.hash_start_src_offset_in_bytes = 0
                unsafe job.pointee.msg_len_to_hash_in_bytes = UInt64(range.count)
                unsafe job.pointee.auth_tag_output = output.extracting(32 * place..<32 * (place + 1)).baseAddress
                unsafe job.pointee.auth_tag_output_len_in_bytes = 32
                unsafe count(manager.pointee.submit_job(manager))
            }
            // The library keeps pointers into the bytes until it has finished all.
            while let job = unsafe manager.pointee.flush_job(manager) { unsafe count(job) }
            return missing == 0
        }
    }
#endif
