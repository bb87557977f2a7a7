import Cryptography
import Testing

@Suite("JSON Web Key Sets")
struct JSONWebKeySetTests {
  /// The RSA key of RFC 7515, A.2, and the token that it signed there.
  static let modulus = """
    ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMs\
    D1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdV\
    MTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
    """
  static let token = """
    eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.\
    cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZ\
    cAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-e\
    OkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
    """

  @Test("the RSA key of RFC 7515 verifies its token, with its kid, among keys of other kinds and uses")
  func rsa() throws {
    let json = """
      {"keys":[{"kty":"oct","k":"AA"},{"kty":"EC","crv":"P-521","x":"AA","y":"AA"},{"kty":"RSA","use":"enc","n":"AA","e":"AQ"},
      {"kty":"RSA","n":"\(Self.modulus)","e":"AQAB"}]}
      """
    let set = try JSONWebKeySet(json: Array(json.utf8))
    #expect(set.keys.map(\.algorithm) == [.rs256])
    #expect(try JSONWebToken.verify(Self.token, with: set.keys, at: 1_300_819_379).registered.issuer == "joe")
  }

  @Test(
    "a text that is no key set, and a key without its numbers, are refused",
    arguments: [
      "", "[]", #"{"keys":1}"#, #"{"keys":[{"kty":"RSA","e":"AQAB"}]}"#,
      #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#,
      #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#, #"{"keys":[{"kty":"RSA","n":"!","e":"AQAB"}]}"#,
    ])
  func refused(_ json: String) {
    #expect(throws: CryptographyError.self) { try JSONWebKeySet(json: Array(json.utf8)) }
  }

  @Test("a set has at most a hundred keys")
  func tooMany() {
    let keys = Array(repeating: #"{"kty":"oct"}"#, count: 101).joined(separator: ",")
    #expect(throws: CryptographyError.self) { try JSONWebKeySet(json: Array(#"{"keys":[\#(keys)]}"#.utf8)) }
  }
}
