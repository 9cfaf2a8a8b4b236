/// The keys of the sample store: RSA-2048 unless documented otherwise, and elliptic curves for tokens.
///
/// **These are test keys and publicly known.** They protect nothing, and no other store may trust them. They are fixed
/// so that samples are reproducible: RSA signatures with PKCS #1 v1.5 padding are deterministic, and those on curves
/// are made so (RFC 6979), so the same arguments give the same bytes.
public enum SampleKey: CaseIterable, Sendable {
    /// Signs the root itself and the intermediate.
    case root
    /// Signs leaves.
    case intermediate
    /// Signs receipts.
    case leaf
    /// Signs receipts like a developer's certificate, which chains to the same root.
    case developer
    /// Signs leaves in a chain of four.
    case subordinate
    /// Signs as an untrusted root with the same names.
    case rogueRoot
    /// Signs as the untrusted root's intermediate.
    case rogueIntermediate
    /// Signs receipts as the untrusted intermediate's leaf.
    case rogueLeaf
    /// RSA-1024, like the receipts of 2010.
    case small
    /// Has the public exponent 3, with which a padding can be forged if it is not checked to its end.
    case exponent3
    /// P-384. Signs the root of tokens itself and its intermediate.
    case tokenRoot
    /// P-256. Signs leaves of tokens.
    case tokenIntermediate
    /// P-256. Signs tokens.
    case tokenLeaf
    /// P-384. Signs tokens with ES384, which the App Store never did.
    case tokenLeaf384
    /// P-256. Signs tokens like a developer's certificate, which chains to the same root.
    case tokenDeveloper
    /// P-256. Signs leaves of tokens in a chain of four.
    case tokenSubordinate
    /// P-384. Signs as an untrusted root of tokens with the same names.
    case rogueTokenRoot
    /// P-256. Signs as the untrusted root's intermediate.
    case rogueTokenIntermediate
    /// P-256. Signs tokens as the untrusted intermediate's leaf.
    case rogueTokenLeaf

    /// The curve of a key for tokens; `nil` for an RSA key.
    public var curve: EllipticCurve? {
        switch self {
        case .root, .intermediate, .leaf, .developer, .subordinate, .rogueRoot, .rogueIntermediate, .rogueLeaf, .small,
            .exponent3:
            nil
        case .tokenRoot, .tokenLeaf384, .rogueTokenRoot: .p384
        case .tokenIntermediate, .tokenLeaf, .tokenDeveloper, .tokenSubordinate, .rogueTokenIntermediate,
            .rogueTokenLeaf:
            .p256
        }
    }

    /// The `RSAPrivateKey` (RFC 8017, appendix A.1.2) or `ECPrivateKey` (RFC 5915, section 3) in base64, with line breaks.
    var base64: String {
        switch self {
        case .root:
            """
            MIIEpAIBAAKCAQEArnu/xyfy58iyPmQr+bd2eCKceGa2Dvq4Ip5B8PDaBkb8OHl0ondp9ws+PpZOszZM7/hAbuU3tredTleZ7kfyruGN
            KNrpjCZDqnDMVM9r4YM7RW3l4Cbutez0dBi1GxxNr6Htf9tkZnOcZ6YBazi2EKKQCnkOyAyTLnsXUNskHPlxM7zJYpcXfKRBkvMkw3qE
            4X38yIQLsdfVgai6i53BI0rh0qMOq7mpl6h+iZv46lEn29XzxXOqX2bYyxrKCesVO+bVB2H9CHB1NTAntmYTmg/UBr9/hCynnr1JPKPy
            8aINYQXpiRyUuck3Si8ah3JUXsfDJud4HAVXrapeNv4TdwIDAQABAoIBAEMzDO7uf1pujNuDp/4ifwGQzvN+F2MYg79tdRcPI+EkCLLV
            cCq8U/beASiIqiHSaXpIgcRUCouYFwEbswC2/AwHeV7BRQ6BlDD6BXAqfLGbYcIBK/YS+H/flVx7QZEB6xeYBUjnXbkpkJTItiYt7szk
            VxZ5fkxkr3DI3nd5FuUDNvryLbnAtph3dcmYC5N0mloXhoKgCJloUD6ItrTvqNEdHbZg1arpLfyZDCV4B0mLzDCj5O2NkOG2A89wZaXc
            1yimnnBS4SIAwWCdIuK49qxSZZYVvhgaHSbmCzrPKm/Kd9cb3TqxxHZmd3niRxvwH+OX40BmJjnhNG8U/0WBb80CgYEA7d/9e9o/4QCK
            JJNZut9i0kO+Ib1D1dfWd7MIUxB9I3oojIUfbdAtTTzNF6UMurozlSLZ4fel2xZ9SHLYqCGAzZ7EjPe3rwtfrNcWLl3IgtANb9CupV1X
            8H7XnS1/KfxUAimPoMacHMJ6BKynAwNirgd4v609c8WcMzUsRi77+e0CgYEAu8c8zbVOyTfzCsRRhwZtjirbc8B9kymb7OXosSOLNx4x
            kvA6i+5o4OYALQezh6n9vR0PJEYZKd5+dFokiTS05bqzi6fvdhPjHM9JKBbHBhk/EciqjxGgRXVQkSM3dGgC+nXoK43WWRnXCVo2ttIh
            TzsHW9+uyaXoZCrT3WSORnMCgYBV6c5tixgDNeSu7SE9Yy0X8Cudl/QGKhxlwx3AknX/+EDo77O4P7X87XbNkWkVj+bNeHblLEKU7Hx3
            TDOAFgmlOjCXEWkgKaV2kYCLYofm5ynTNrW9OAdo7wcE18fT7DSTS1t6oAEGSh8zzP/NEM31OPGdmP5W8ApIXG4PMy0CyQKBgQCbievu
            hKju+Z4io/zX+FYU9aDzX1Vk6YlTkBjPaZ6uGB9+E+ia8e8DouAwbHmj/QXFeOWK6Vl8meRq4iPzVqokxCJmosMyLkToHzb8sulGPvFD
            /NByU2pLPmJu5hnQHTuiVLnsIb+T7Fh3UbeSdbnLlByDWGPCed9l4Se+8cT7ywKBgQDt0o6Vtp+NRUZgoeHrds9F7NIiW83FNSrtCZsf
            +0DkVYY7OAmq7xuxFvaZYfEiNabj/ZYzm4n32rnTFn+p1yqVhLuPYmiCKBAE5cSp+dLXxQwAPUCFjDaALS8+jYRbYfW2uC6otwh9YIGF
            HYJDTo8eA8J9HcSl6oFOprzBF9YQQg==
            """
        case .intermediate:
            """
            MIIEogIBAAKCAQEAy3uLP1uoqa2edB+4MZVQcAlsny8dFMMglWlnXgCaL+FF4Tm6h6y3CbO4nqeWG+xusxN7jmkHooX+0Uw4Zh32of+Q
            ttOi01V8BLnVjQCNIUbPLL9O+wuq54XX/Mku28HcleQ0ZkTjBlkyV+0H0d2UT56DJWwF1PyDLNhx5b+UnuyqKrBzLG7lPVcDGGKvZS5V
            xGdGYfHr1v/CLkrlwcNo6FFPSCp+dpNRx59czgmQKsunquiwE4wWUH2MTGAgeFtg03RzZhiNDoaAlFWRQQIbvCp6yI/1dbqGNrjQPPE8
            Y3yW7HNotY+oDoJ99TLvBmLzYw3ApyZ8pbMZZ665IW0g5QIDAQABAoIBAA9VuTHGK5jV/8oKlewOr6gx3aDFgTCOYAdCkUqxSu1u0cBe
            hGMzLfwqMjCqupJSKCmQv1AFNFEYPhLx5pIzkeG1i+drXasFlzoX8zMUJo6qcnSR2lbrEy8tlBB17PUc0A3vy88lQ+K3mCauM1eqlkHF
            1WZdlLbvbMdVbIf+/ylW1BbXMQWfRAvblKg4WNTYTfCtcVxviY8Y+lWSs22mqkGc71Rf1v9aAFlkMNK7f3ZBcu1Wn/bka8UzReNHfbl2
            MLGfqjoo8a+eJtuddSsn1WvW0QHYu447A8FFskm61qo76bHGpCqM+lN1/0RtWIY9viEkfLCf9bAeccaBnGlX0UECgYEA+Wd3xJxhm/Kg
            14cwXm5yV/Uu+l7NUS8HJj+8J8vrthkPd9Uj5eD2/8BVQHXCtVXu4I5BqI4AYw3EjWfmEdyMYCXdSbBaQeDAWHSY/Zd7qNUx/5m7h3Z5
            wR2WLIvspJxC5xsaOvLjLwPaCiERJhMnTtXbHbgufCFYDPyGQYAaR7ECgYEA0N0sxH9Y0r6uDsI60GjctXPR0oYGYtoDa3CnrF70KMP/
            6e/8G0uyn7Ru89DfwAwEQ7pZhjmXYUgPIvBuL/B0jBCfnoyUXoj0oC4GqA1n8Qb9ntxuCjjB4pNvr2Iso4pYHbfu36OeYXysJYov8A2a
            D+b9xrEmoop3CyAVtVAkbXUCgYA2FKSY4pwb19HeynbHk0WCIy1rpxD4cK0pMxrWulZDZ02+W15sY4rLzGXwE1kEPz0MPmyoYxpcYEjl
            rMjryJo74xoH95CqxlSPGcFvA+ERrCEqXqiWaC9gm8zLng/TZfrv6CWY8MAomro2BhOU4QReCOt5l02lJwnTzxJBs8h/EQKBgHGnSQsL
            +PuEwxZI3tQ1m5QpmA2k3KjB1YaLYNJNQTNFpGZaLqdzw5lgB9go2viYEWIBb2G4yQUovwPWLT9s6x6klRcjjED86ZCYOwsLcHoZwbzG
            WiK5y9dNP0MCeyPqzhQt2JBdanvF6a7ryTYpUKJCoemS0GE2U5z8MpPdLlVZAoGAfLApzTl85d3eBCjhkpwBGiqOl+H8ozCpfm9jKqLG
            DeM9K9zRFhAZCJ6rEVJ2FW7HK986wIQKlr2NntKONj5QbnRCvP+b4F04dG6PMiYduRKZq7laSXahqSyU3Gd8mPLNfZXefc0yp7fe/ewG
            kbacpew82omKL/bRvU53ITyr0zw=
            """
        case .leaf:
            """
            MIIEowIBAAKCAQEAw2DA65pdfDHgJPxnysNX4c+R48bYSAbZ5iIAwL76CK0jfbtSGepTTTSWrnZHoasbM8VbimLGR/9jbt+5unzxGog/
            WZGECbsWASyLmxUquLUPpGzIZbccIY7PVxOGMF4y9AdAQd+E+X9maGmZw93Yl9O/Pd9eq0MKrgVocb9Mxk/SoUkN4uYqDt21S/W360Lr
            P59lgKKCtV1SIZyAbSpo/TwngFRhUwC7vg2IHLKAhaYBk/NHn0ajXa5DtIa8UBYZM/yBc1vQucsAIqjgbaJ/FhuqIur8jGbhE8Yt4Qid
            U46/F9CvOdwGSaf3TWhyo+9951DZmO0vGtFlEhD0vfKaWQIDAQABAoIBAB6rP+1b6GPX8m7r3iESg+eS7Tw7mPTJeofo+4RGFjqpbwJM
            Fsmxokzivep576mdkeIRD1sMQULJAKNFZEK1XSWEkKkvMfJTF1Os2edIrdGbvm5ZkyWAVl6gK8Tn8C8EgmwS/U+51gZSLNGkDfqUhuzi
            VMlSGGq61eDWQXxlgpg4ZbuSM8qok1erobQAzJrL41G2skG0YT9i+mcDbO1slnhoe1KoXVvOP5H32V5/yuuUCgf0tcIKxxovC0F65QOK
            lEqLdj/lp78h2R5+RbBanQaIHa61BBrKWd7BVnY/kdWHHbwLmo/4yiEofWjhM+faMkOnu1hc3akS/KDWqom7PecCgYEA/ZwVlcYTl4Ak
            YXIO7GfdheAavUiHq5qayYItWU/qhF84pRt80lpIiCTrYVrDJB1VrcL/TzTFsWzGLAwrkdxrGVB2vLVfyiCz8pzq13JatM7ljIP1Pv+l
            bHaL5TalvpNRcLPlfihMtgZeku4ZvWdDOn7XVAlu/Q2yogIko3wYpQcCgYEAxTgqkF22XaWUwBh/pVAlgIHYl+9G2YyNKVo41/wtd/io
            LV9QH7IrS7fnufp7LUqwkNVToj83UgvT/Lgw/8OR64rjzMu5HrqYQnsRzfCVwaockP190F4MZ2KoG0Lz5TTAEW55StWtxQwjtxRT07tO
            1M/1D6ezTHFdLguZKy+3TZ8CgYEAw6cm/+VQOBEkAAl+eeOngyDhgCX0hO9BezRyx/RfeL/9c2NBaQc97cqNzQ24fqQi9Wr6jKCp47eH
            K3Q4KM9j0KPC9tL2k3mnWgS1KIGQeO0lKsKi8XdIp+TNCIigVeZRbiFba3irtcI0NCZ8tSJ1Oyuf87VTauamaVY97eJPIQECgYBQEi21
            z1ZrTv7FvyyUAaY4Nn+psAwj51yonWjWyBvtyZb+VORC+iN56oC6kWfRS7HEG9iI1wGu3f6DbIT4Un68EvfJ/ix6vWd0FmN0KWmj510R
            wNmD76s5jmSSLOy48mHIsgGs0HRsvDED88zU+gdXf9cPNBcnwh8CwtK9JfJWIQKBgCe42tvkLyNS1UY3oolt4yABrb1crY/zlhVkeppX
            7W4MhveVGTneDuRdM5uhTh707n5H6nkJSLPgk6fyOqTTO+Dg7OqrcrvzWeBeBj1q90TjHeu3Y1sCz8ed58LJ7sxAv10343aUW89kqmLK
            DzMkeBsaHGHWt9AP2eeBduDrGWQW
            """
        case .developer:
            """
            MIIEoQIBAAKCAQEAnHvdYQ4EYRUSU7j+noPERGK5tYvn6IKY9hQwVorGqNRc9GOu+8/+OAKwBwNkOblA9QFAqE5WypqiQqjGjd7frT+k
            WdYHgb/QeeWSGHJy+SdV06ppcMzwM+/WVYVaD0mngyzS0gDxcEctO0rcDPyyUW1U1M3bnE0v+HcJ7aH/y81wYVFEo9bZtH3JhnahuG2E
            wqS2g9XwNR7GOl7b7FuWSE8Lfpm9Ude/Wq5NBoiVrsaVENqG+vnr9FN8BhblJy2lqTsGVxIzfZfR2utT4CIVmRsTWUzCCXEBa6+tkrIJ
            +XmMhrfxOtac4BtbIvI6Siix1hEbfi8OhQ3SJUt1jjDw5QIDAQABAoH/bvFiguztLedClxkRbFD/VXypLY2DXdU5nT2zB6hcMFZfkOUb
            qmxMUGmXY2GELWiqJQo+TRU9c2cuoxQFsY/SBYKZgxe7OsJDjCi265445Wx97RNkrhSeODRSQU/KCgyuNtIQpdMFWhUcfG0Wlh6STii1
            fCp3CNmwqPe8kj3InTRtsoYIhn8IsUlY5irEqaObW1WUrB3jS5uVrByr4uGJpC4U4Kr71j3T37dVcdLbDhpW7/79HwFkRDy2t2y3lW58
            yaCRX4GUetlKCLO6buOjiC9uB918O9teKGQeBjmH27wCnmyIVPvktHeT4fwrH9ryuaKkHxv/kjBGnkKAPNrBAoGBANP5oA5+DhqfwZ30
            VosA7HXYXmYYa697x05CnfAYBgTYA3WLjytBnjBpvnOG6YTKLIXAKKu6f2kRsfgKzT8j91l4dhiOqrJIbYaPm8XTEAoFfnRz0e63lYAo
            gN2NI2oPbxY0ugw13n+z9wg9XjCK29D9BY48wjLPIRrdjiDpxKJFAoGBALz72+fMLYLer2t8Pi2GRLu0DfvIOjZE+/UavOkCzkU96qd/
            vHwxwiRJvBMZ2Hi7wbOT7H6zcJ62BPs7RM4y9VDRZqGd/GAU0yu5VvFMYDmHKm05sRsdL/1c6U/J1caVvnt2wbx1yIugs8r/lWBWL9yA
            xewZlC6sfjXKKFuyu04hAoGANrrX6YYAbD1dR0Qj6CXn55Fi5idd/mQOFJW8o5YAT9XaJspOv9NkXYmf48Isnt14W1w+4//2D5HDCpD3
            Z1sI7S/eBf8n8Xoj1T9U7+HL3VqHyNdyl5kM35cVlp5vS14Kx4f7lVV/SieUG6uEmzHvCWmaupvTZDz4hjA4FyVkYKUCgYEAk8nWMBCB
            Ks3gmwrfSRSuXaeyI8tykowiCYyuXP4/tvBzuCdxjCIRc/VhqgJVQh16nme402CaWtN3U80GwsYhB+GqBAubmLvQZGodbrhOq85jRGWQ
            dea+Z8GoByiNEC58durpGOt3OJIk6EQ1WdAsv6DIpxldw55LWN9N7l/4kGECgYBdhiKdN4xC+PEujpP4+qsmNsyrhDlUjTw4qHZudUq3
            UCPPOzZaoP3F1HzVv+zBSJpUrIXX33uBIMzGPIxS/0sInv1BvYHLaVmnRPa8OZx2E+5H8PM7Ii8fSB77bynj5HMnx4KMAcJl7IzsK+oq
            a5VlRaAEHIz/sBw+LeD8ZQPi3A==
            """
        case .subordinate:
            """
            MIIEogIBAAKCAQEA0BhBSfDQcUODUzhwCtQIhQ3gxBsz/0hP8gYAPJAMVxomhNt09kN1XL+Kml8VAYSHUYzTURx8nL+wCEb/Bn0ZvTVQ
            ATpMuxKJPtoq0hGxBRrlRe2pI96AEZ6CU8buvCKtcIGHIZjkeX4Ky1gWuGjanxAOnMPVmSIlqyJa8ZefI6KVxkJbDoWbyQDFzXhEmjV7
            9uKwslZdtwTYwXtlm8r80X0jzXdKvJAaqTaM6M4W6WVB/bnFsmt8kBXqbVLqtO2HJJl9bcM7lu167BAecTt2rbX9m9fdoNpZK+1tPuWl
            0hn+yu0SYgRUmbPJqLDXOZsfhSOj2uAlO8+4PirwWzvQ0wIDAQABAoIBABcAv2LZjGkg0ekGoZgI1UJEBPcYnLhY+YFi+W64a6zLNrvT
            +ItqbJRKlhs3bH6E9GJm40shj4LSS7a2hmVkuc4pEQV5uNarF2HLwxUCoKNUVEjVGy/cXiLUd0qkgGpqmOqJXvMvT/5AGRheTfCnopcX
            ss3QdhGd7TUMMKppHM3W7Wmyhtvq4dJnej9PA+vFYKQdkzE/8axUuXRty/nsiTqnuU6jJq0IvpyIB5fEhqTUsbqw1iL8Qn3fNTcuYX/y
            tVsTMSEjFq9btUME8+FltUaFGHChnUDl9QI3EUgwiqu+ScQ6DRx9ymhWuTyn2k73zwI6vFhTf3Z3pz5BOHBcno0CgYEA+2DKE/VZ9zPR
            YLU2Ma7gw5wfu8VnbHoKSE5D4pEuzUYS4Ws2A1magGpClwXS8iGoxVzBjW3/67I2+8PDOirFwodpPdsJl6FWH7aFtncP9AoURvSblqUJ
            wbLpo5wxzdrtRoSN132AP6pNGEyCI14Md/eV/xoeN9rMTXWJUOlceoUCgYEA0+u8SDaiFabKRbSLiB9atn/krNgLVqVnVu71asZSFAun
            v044Ze3RzQQBb+4/15vjerB2brplnMVJau3q5/RRhprfSKAgvi5vUKco4RC2QWqaIpUkE014tiOnvAWL+Hcz4BBiHaHJAq3PjZpocdqr
            b/viiddujoSBYvo6cvzeeXcCgYAGlP41j5MPeffdhGEq491WwdvC2uReXsOuKP52DD8heNg9tsTvSYVWH3Im6iwf0unMYSVgQqUU0tHF
            vdZ6y2vqMAl9aSLTKZJLuke+A1gTl7/4K6d3RlL/E2QyuIBFV5om4omkPtEA2cCzBi3SJ0BEU+NFjrWD2OLIlG9IAxQ80QKBgDbheaUJ
            4PfSddePZgMee5N/k2zfljAeLaDpyUyZh3ABhLOaQijDae2599VQ0d+4UzTWthT+2Im83cJ/UrI3J1XAjcp1DYWy6MjuQTvn5AsU3E3Q
            acNF8NjaavnaReFWnWyNUZty5md3M6TsM9goVPVvOb+QtuTZk9haDQDyU3sJAoGADjkYkX2ejPpxZS5YIgNcCt++RmG818sQyjGyRyoo
            M9+YF11rTCNfB3lhpqLc/Y5623taCabgAk94OgfVeaSBlA25K7TEaDNo9CgNoVWqzXy0qPCaWPwjDIwdBfUISC6au6PSYcIX8JOWxQdV
            tBjMwOIK9qteb1mx4eL/cjPVCPc=
            """
        case .rogueRoot:
            """
            MIIEowIBAAKCAQEA136QEeDoBCaaHoa1laDh/15p62DiLKxDFYy+HPwimmzpZjcVjF6bhVgaO9wfYbuo3TnpLHZfayjUDZbvXlj5RULW
            HyeoNfqmFUArP1P2Gyi7hIwbzfFVWpZ5iTZTkqv6/JEw1DN1brRmY7LO8Z2I3lF/iXhu0eCdh2MvQmabYNT4sqZ8wsZoXpLSHTtihQug
            RYPnHLVOwgZYo829bZZ7Q4s+VliEMHCL92A80LxnqGj08OzXWoiemAgqaRYZgrWGWIvxFpisiIVFjfXOxikiXwG8Rd2MCk0OiwIv93d5
            Acx6ySShRy7FvYryoYrlnbvu/+vZg8gfxkrBCVS1Srae0wIDAQABAoIBAGOlmbc6ue8ZbpEJF7SuJXMx1GbMcSnZKlgvscWzbcjc7fyf
            Ii67nMzHVbIycqx923MZEVLHFg52XcA++Ec3e2TkqCDV9LmpQt12w8jP6XDboAKFy2Gq5B40kNS7M2ASeMgL13l4piff8azOhVVC1ISB
            SSlncE9Kv21YlwTsb5MRbuywKy4nV7jXRkE42D//YtunszqMixmrEfY9QN0H2/72KWCOLt7zp4Mg49gJbyCkL8LMYtg/KimVNWmG7rkS
            TJzcU4NjS/G/S6za3kux8qO+VFfklmGu7BxKelf/u+RdnOirFp0EovvAGER6OvWgFwivbNSIoaOo+PznIggkjBECgYEA8rG3MMSjZPl8
            gmtW+Bsw56O/4dE7pGKsgWsD6wcOydRvJIDZBVAB9JH21ryQ7oOOZN+qpF3alfH7WYvgjJ1wAw3rk02kfVxkonkVbPnH6IK+iCuhiILZ
            AhuQvvtVHyxu9Q6JY7yFIDslKzHNJoZ5XdPj+c3iWck26VRjMKZAeZsCgYEA408W++zQqP0bhcecHCYxgMs86+zOfUUNdkSP8pDld9DC
            zvmdVjwf6G0JTylWN0dO6iA1lxNV9zTvgNXOadA0ElBfB9Wm53hUdWV+jyxdudeGFM2D6GBwv1M/v4Ik1dur2nAGHXuQojQBK3U6U2VB
            QrbGuQeujzRTvfoX3r/CPykCgYAvvrCYYob2jXJmQfG5G7hSSc+tADmojFT9nO0HZrsND8LRvptzRRstXy3dbvlgQvdXdv0eGuyuxQ06
            v57sauinYSywLP0oQG333LRPXRBr+JS9O0ArF/rTRFMEj3Nej6JAiZyTx3m1Lo2QYtrGMnxb7hySf2OBYGlyG8zrvDlA8wKBgAY3I2nA
            D/SO9zGxQ5OBd9kNtZy93OeP+85AEa+QRrX//1Opf6PcAQNZ9+cyOilIyd+dAdofrToVOHdNYVeDWekmSXLtZKLvp1+OZueDTwzF1+S5
            ueGgwXR50kRqSpeOaiSO65vixRGqWl3V1sJxAlfQp55nl15TD/ch34U3uRgBAoGBAIRH4weqYsTDFudl+oA+AjeTXGmERPsK2+b7rwyy
            Ol802V9sQB9acNZe2QUc/kMcE6G5iAW8ugbwILA98cJKeLHpIPj1b+oZjevgUQJ4vo1BxLnz0KJq4cWVz3XTLqHszKfXt/cwINRoJke1
            Hoe4UvqYdJyKL7iKzbT/oXzpIxe3
            """
        case .rogueIntermediate:
            """
            MIIEowIBAAKCAQEA2Om+uwuw6vvUlIKV9NNHsMiW7vQmoY2Hur8InmYvEydujA83aH0J3OsEm6JEFDmAfgfOHpswwPSLR21KIrOJhXIx
            1ULyb/6X+OZpQOLSRInb6++0DpEtvY2/5a+O3ZTPIcoitQbWa/9OBI8D5Ps90MR6iuF4FNLfX5SN8N426miuLruLWVV4YbqyLyzN8aCq
            gNZECFUinTpq4+Ve9bSxgS3Kfr5CtsTkTPm/KOYW4kkd1iPSLnLnEDaNL/EX5FfRgHyJun3EjzR2ifLCgYPt4nw5jNKrJMa78WAsEmcE
            O35KzZvBBYZ5AIw+xDl4v7sTtD9kGLCX7pHsxvO6SzmpcQIDAQABAoIBAALWxlgI3mMo8h6Sefd3F3JdIbqVZ/cH1O2xB+IY2Mdhpfz/
            yvwbXNhvHAOUc1snaILdw8kbQ19XJAaGi+iZ3HQqazQNGQK1vJP1og2HGnTqr/3tyHfDVyuqsgcFzfMg+jgJPvyLDx3hPMpq+8RQtH2p
            wKfWLR3qp6FG3re3FNVrDKbuIJ1W8OnUB9gtaNOaebhoKDLuRVDZiG3ar3AB1aFgWJP5u9sTcwJl12Bhhr8/pfAIsW6bFVPIiF07jr80
            farBJC6Ilsnj2tCN+24K94DEhzc3Sg9Clwyhe9R3T45gF/li3vYiePkC6ECn+Eq44tn89ar3npus35/PcR2OeKUCgYEA8cVDZ+IMKPnM
            m0B4P47RHYQbGD8ddDr1LLdlqCSUDCLhi/P/xgta4H+sFqVY4tSwKIPx5wb6EwxIAmfz/gNv/zfzfyZMvTPYSgeFz2Q1B0BitisqsWdi
            E/Eiz7ZlAXXVsu1fLd8DW85yErrx316lg2xUC5CRxo4ZTzLRKIKypuUCgYEA5a30uvEdNmeS3CY3gJQdbPA7jMH9L1rtyW/XTFwze3Jz
            WwXpvR46dduGSGtn27PxZQnH0+9If5eiZFm7mKTFPSG3/hDwinWn659cnSbjveYQRBxWo4vOEV1F8/1bBLsq/Q7qnqOowxEopJff+d9H
            Fc11tTlRKOKtgH++6FX4I50CgYBbTfIM01NgTiY1I33GEvtqOC+7UmqfMHzS7FfZziaTBsFDB1y6wCML0Wt+CeetkkEMq/e5FetvMh4n
            unZsoYO0UL8Gb8JfWar/GiQwlFlqaahdv6OZ578kZNaOtwUiLgwMTJS7UBOGokp2RF9/ydCb91cuHuTOpW9td3WB5Qnu+QKBgD5SaIC9
            Yjbb/d6cxBywlBd2TEJSdRf/bVxma549un55vNFrFlSJukU2rwZBlqnn9s16zO02FY8Bnz/plVzDAP4ogxt+jzaS3GC0GlZOMifaIHnK
            0ruH+P9/NrcQ/TyYaP7HqGQpdmaP5l5bE5xiuJAy8wicp+gXMgsXHr8+bJmFAoGBAJ/48TMp4HP9Evwo4jOcWc8pNvC6IV1ZJBK8HRzY
            +Bh7jhkg47saKPNB1PquNYFpaIcLW9MKUCiudO8iRcOnRDtmgNgXNS7VMLVUjeWd0yuAhJdbzUkljjYTesDSg9gIVLHhMvYKZAAMWe4Y
            rFrqb66HIiCyeHqMyA9nCCet2rV/
            """
        case .rogueLeaf:
            """
            MIIEpQIBAAKCAQEAkma1VVLfcpJHGUflAniuZSwnw81bNYxxwM4ZWWewT8Po5YHOxjU6LghdCLrRXWL8hbKPvoyVq/hQgNWdARkRxHLD
            PU01n2fegTnYOIS/OrPOseLS1Ql9ykAxI3/Jo/BnCXwU9dW2bxIw/lawcJ3IRvRycaDAHoAy4lJ1/G0VfzSY5kbe4O79noe99Af6n9yv
            dxMalxOmHgJWGUaU/IATN7DYO90JRS6AxpbtmsTwjS+U6T9+Crk52ouUg/AVFeU18ktYzFZnus9yRo9rQMC7QzD3UtqyaAsVxavqUETw
            uvCHcZFrYjyYmw0kNANhWu6eX3P5vQpcojGRTTz2a2Pu6wIDAQABAoIBAATo+O/xpZjcGxJX/PBGR+MQxgylGIgFO9NxlhwPhDRIp8j6
            v4qaQmdE1In0ag0twrZhNLz5ThPEcj6/61IcGyJxjubBbij4fNfsrrnGiftYCHii2NtYRCXCXWOJZ6Pd7ja9OJ6+Gi5Dd+0vzx8Xy53F
            mQkCkS70scAxb8+VgQERH4asgIfHwvW6Hwybz/gsNiCnaFMZmdJDlKq2BVhWVa5syJ4BVkC2hgDnB/oovqjd4VSNEggQZCeMXw7mu/0w
            XjxwwiwXYIDaZtNOPiC38qxqvXOLIt3f6CAkc7RUkYZYu6vtDqmwF7ANqfKF8UHHveBUhf39TTCKc3HRc7Ck2eECgYEAzBDTZgrWMCgS
            QtdJZD3ngzkG+7+uh2fRoTn1+2GYjnfODk/j7+mYdOrZD9E3ylx0oUECXhpHG9sICx1oQjn7Fc/qyr4YHunQ0wG5UIetkf9vLrp4AjOf
            gmX2XN0ty7kIqBvKo+2kR5gOSB6mZaAoftwFIQjCRcMtSGUATJN5k6kCgYEAt6j02IqXM8hT2ObV0GLeT1C8kwTTqKCYuMxd3vqt+v5+
            Cae6LOs4FqPy377AiIkvKlj+KdLQMvg7QUYtG0/gaLeTQ6YsC8Jybicg8Z0dA/OxueMXKxQvPpQNnw/Tm+7GU7pSPbOiLDC6JIF1s1Fe
            gVblJFmEhCNPSvjndw0yCnMCgYEAtva/E9bThAnplZSBcScv1C/lWwLZ8P3crrnRGrq+lb5FOf/XVtwSnYGTbOMhKocK6ynmfYkCCK+x
            3oVXXUmvHjd1RKJ77fumCAqbpOCBd02W2kbGIvM2KSxSX6DP1sDoShHg9mmzyZ1D8NXKS4P1ywhqcNvxk6sThr1IL2BquUECgYEAgZF9
            4wKrN0n99Uis0U3e3n/r+aBvHkjmVYFAPF4Hvcoq6u7chnIPaNGTN8xgEjMOBkcwUBs87Kh5TUyP5/PLMrVH/HLQIh+1EQcj07Du1mnn
            GWgfYTHlPrW+glftBtZGLq2E9ai0IY7i03xNqAsgrAi8sY9B0OMEPrUovrGdewcCgYEAssfgy+BCPLM5wvUCRHB0XYUALi2AJGMYd38L
            8PkVLFMYcwYMByKE47uriL3htATKbbVAi0ulRPNyflZO7T0LR3uhUQDLFcHVCPFPtk3kivRCIboylmz+Me9WOnjgnYdHsxXEnjPT7lKp
            vpCo0t6iSpd662IaYYCqMXxVvFGJ2xY=
            """
        case .small:
            """
            MIICXAIBAAKBgQDF20lMOsRspz8S65WYrpeHd4PmDtkaCQ/2eSLdjuHDYKFYt6F1PfgKDNgnIXaxLpVJST6vBWBN/RFz5DubVRHesnqA
            XPlg6npBzPhLwWPmGI8bpgc9F55Bz46yFsLAU/IV3JLyLYFYwhvM12JzPkDFyAuHS2vJM7QYK4qwOPGA+wIDAQABAoGBAIxcEBd/6TCb
            ROeLMMjrsptrcaqXBfSuUSCstssuPYJ43n0tZ+DgYUHf8sdvud/gCA/BYjKPQc6RpPvuAUskglOVm9TGDBraUSqekwHn8s/awC7GZjki
            m9bb16RkT3tt/TCEKq+ujy0t4CUyRviTMA3bMbTYQgewLbimmG8t+w8BAkEA78wiWAw6Wpfr7JGjsLzZajyMPLtCNgF2K2l77TNkzj0l
            aA3+yV8AoYZUJyXjTuj0hhopFMnbWlj70LqvhTjjGwJBANM5r6gbYHQFowhYjsOEGLK6M+0Rkkz1WeHeVTfgi08f7KMmujTlbHkNXDfp
            VcEWIdovIHGUE1LtgiHC0mQ916ECQD5FmamZy1GZYDf3/jU4ZZF0FcrzqhcSPBi79OW9UfFI6bzi3YZ3uFc55gKgkS39yvpEMuTmIqOM
            tiAXStti0X8CQEdkfQmdzzkH2rXscLyGvm5SX1CmmsNmPi4IntcXDx78VFhEs7VDQimcKWpAdJqhp2l+ekHJYcqqukw89C2rdWECQHM/
            jzn8lGwA+xk2JxJ0bM3Ya7iXgg3EAE5v3J1lkN1xsbSwT5MddaXY24SLRTx+UP2o2Fyy0NqNdzXYyXTEiPM=
            """
        case .exponent3:
            """
            MIIEowIBAAKCAQEAn7BTDzED8rS7r+aXmf8dlN0/ClxHysBpIniv8UQp4aFaGd9sjKNUsoocegcKaR0+M3zCFe1+ar3hBt+yPhLYEGK9
            Jj1pkAs371Xty/Mx78qxz4Wss5qB/ZnVbcMZC3HNG9o28KzrRGAlZO5JgpIGEwVJSkvXA6uJYgqTEZ1Q4Nn5PCQXC1uT4ye+UTioYUVq
            ir7dZjdUmz7uDZ2/kMX8cGgoiOY7HFR/Spd4a3g/NbNIYNpCVrO60td/giTzs2JqfV08LtSZOME9vsaoKJjKHXl8vgfbrwsfd1NMoFGJ
            dfCEWlgOkHJT4pZWjZmHcP8+0ZUsGi3gZ7x3KsB9fK2yQwIBAwKCAQBqdYy0y1f3IyfKmbpmqhO4k39cPYUx1ZtsUHVLgsaWa5FmlPMI
            bOMhsWhRWgbwvil3qIFj86mcfpYElSF+tzq1lyjEKPEKsiVKOUkyoiFKhyE1A8h3vFapETjz12YHoTNn5s9LHfItlW5DSYZXDAQMrjDc
            Mo9Xx7DsBwy2aOCV5ZhKk0TzEdKDm2IECwp2lOjaM1niHwd0Eu0npw/snU+XW3wSGSH7hL6EiAIuHXHe5vGuD8Bizk3AkGA6uL60PhzB
            2hEvnhSce2dYw66x2yW54RfrS4IG0C084ILnEaUv5rpc8Q1DCSEByiTqUP3rS9FQ0WPBibCOjiORYXaGxZC7AoGBANOeqQsmxK+fBfRx
            fUs08lL9nvFs/ixVq3VI7OyKdep5IUHemnxA07iRZQp1KZK5WHrPviiX0UwRWxGMG/v0rHXvDqm6k69oPrLPjgFVeHArtd4RtcLmUfWz
            QRwGcimzaHOXxnvibABPhA9VuArGbtcCO+fdzv5Q+z6zQtM0nFrnAoGBAMEtniR3/Ch+uLbZqs16c7pF0uUmCp0XdxUJNjsjZBqUPayP
            JgviOajyZmqxIoGuAGMMBHkqrPogo92d89mwWMlrh3is08rlyW/qEyDIV6Fa8frLYNW+gOXowWw/ROf6rfk3J/7JeKIQYw/YZ//Jnq3W
            Hy6aEFlA7AMda3h96P5FAoGBAI0UcLIZ2HUUrqL2U4d4oYypFKDzVB2Ock4wnfMG+Ub7a4E/EagrN9Bg7gb4xmHQ5ac1KXBlNjK2PLZd
            Z/1NyE6fXxvRt8pFfyHftADjpaAdI+lhI9dENqPM1hKu9sZ3mve6hFKW8qrfrV+OerHZnzoBfUU+if7gp38iLIzNvZHvAoGBAIDJFBhP
            /XBUeySRHIj8TSbZN0Nusb4PpLiwztIXmBG4KR20xAfsJnChmZx2FwEequyyraYcc1FrF+kT9+Z1kIZHr6XIjTHuhkqcDMCFj8DnS/yH
            lePUVe6bK51/g0VRyVDPb/8w+xa1l1/lmqqGack5ah8RYDuAnVdo8lBT8KmDAoGBAJf5bxRgjzybhK3ycapiPr269XTfAjDI3jEvs4Qt
            by59TUrtz36itoZp+S/z2IsGph5DKv76nGk3rozGfUApF8inAfMu8/4UkyiwAf4GVHkxfKvygjSNZHzM/24DnxgXTj+jSyZfX+PS2aMb
            IQSGyDBQ8/P0zJUajsiXqVBX/HfX
            """
        case .tokenRoot:
            """
            MIGkAgEBBDDU2g27NL5zuqgzvqSKOl0dvsBm8OizHigkHZ6CMon6rBhX+GGfBul6H8JiLj9O84GgBwYFK4EEACKhZANiAARAgxzHRvl7
            jciqSeqbg/ChFdgwKc7VReoFg9zwwq3lPjl2yqA0BwsqkjDuPbUfw/Ffa2YXv+VuWOpJv2aMS/LkvqMLrjwGr8I9En66uvTv7BB6wG3k
            8cOGrCx5sbtNKZQ=
            """
        case .tokenIntermediate:
            """
            MHcCAQEEIO+D80nthhorAOobbvEH5j2XTacsdfMaXzadA1g50xsqoAoGCCqGSM49AwEHoUQDQgAEYL7owjvKIcExzOJbJB5xQAZGRuo+
            i6nkpmWnVGHAElOS2AlGgqYs9ZX6Rzyly//4Cd3RP4cn2YPn4D8StpQokg==
            """
        case .tokenLeaf:
            """
            MHcCAQEEIP25J7pCVDF3DLtXHIGm2f7474yx9PTlTCVCp7V2IuAsoAoGCCqGSM49AwEHoUQDQgAEEeSp3wTI4moRwbQbuzK2/+WAqUsy
            uuoz9Hc9rT4ZQyYSNlyCUsI67BvPMVqLg7N8sysJTD+QVhAK3Py1cKnnWw==
            """
        case .tokenLeaf384:
            """
            MIGkAgEBBDAkqxeiKFrC+4OeMjcoz2S4EiaG0kUvHgqBSME/SU2/DplrhaJ9i6xCzTOi45uFtwWgBwYFK4EEACKhZANiAASGA6qrvl/n
            6Pfm8oH2sH8T2xLJ9ZNprzbmQrHAjn7PXCNMnCSTlePSQMXiuzcjmkTu2I4q+Mg1OsErVn6/DQk0Qj/ZRfPOXSv2SdDZtiBjqF9FoKLb
            BSwBUWG0sbLOoXE=
            """
        case .tokenDeveloper:
            """
            MHcCAQEEICN1HkvnG3Glr37DCBhDugYjilNDaYfO1U0AHF80KWKeoAoGCCqGSM49AwEHoUQDQgAElqt7kD67LBWhCB3pbn0dcijkpLAv
            sYRbGuSFkOG7KfNIKk3VVXh/hWiWBegzhvZwwzTIb0pY6b+7dePaXbTgZg==
            """
        case .tokenSubordinate:
            """
            MHcCAQEEILkjh+w0vfdJ+FFmiCXgXujALGYw0s7XyjquEpxEWKbMoAoGCCqGSM49AwEHoUQDQgAE8P+cd7rHlMyCSyXIp/i0ztdUlvmN
            yLGyWD0GBCYJE2DTIzz6eZTmfFss1hu7hQ1rvv5i1Jbmzto3UXrJgV95JQ==
            """
        case .rogueTokenRoot:
            """
            MIGkAgEBBDCp237mx0C6HWpCYZ/oyocRguFb6xS03UCBzw0zVO+3uaRzoM74gdDtFuwhXNSChx6gBwYFK4EEACKhZANiAARcMxuQTvzo
            /iBa+T4imzTnODHJljYzUc7sGHIKWJdlAT+EP8w7ooertWixBFivYjHgX4golxgFdOA14SYcpfxOhB9leDoGao2WdhkDrJYrfARlkVLC
            H4eA0psXl+I6Hm0=
            """
        case .rogueTokenIntermediate:
            """
            MHcCAQEEIFH6RU/c596tEds1Ielt5+HUELUJwYFt2/Eeku1P7Gx2oAoGCCqGSM49AwEHoUQDQgAEVVPFYPZi0XGOiOh7Idls2GJA2cBP
            X55nIbe8yt6piZziPdZL97x1vW5NbYCgaRpcqVDpN+g1kMOI4VKBLHTGLA==
            """
        case .rogueTokenLeaf:
            """
            MHcCAQEEIL0yqzp9v/g8UkU2WvtU4TPl4PByWAf2kTrO0Cpo++UooAoGCCqGSM49AwEHoUQDQgAEFmIuEL+Oc1CGOcCx85Nim3Mgnxif
            9ylmk89EVO8vZdCwE4UNobYv54k01HJcScaQYUpzVWkX7OCbMBZ1bS4hRw==
            """
        }
    }
}
