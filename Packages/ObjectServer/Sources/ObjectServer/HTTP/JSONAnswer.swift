import Foundation
import Transport

/// JSON in and out of HTTP messages.
enum JSONAnswer {
  /// A response with a JSON body. The content type is exact: stock clients drop error bodies that say more.
  static func response(_ status: Int, _ body: some Encodable) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The bodies are structs of texts and numbers, which always encode.
    let bytes = (try? encoder.encode(body)).map { Array($0) } ?? []
    var response = HTTPResponse(status: status, json: bytes)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
  }

  /// The response that tells about a refusal.
  @Sendable static func refusal(_ error: APIError) -> HTTPResponse {
    var response = response(error.status, ErrorBody(error: error.message, error_code: error.code.rawValue))
    response.headers["Retry-After"] = error.secondsToWait.map(String.init)
    return response
  }

  /// The response without a body.
  static func empty(_ status: Int) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Access-Control-Allow-Origin": "*"])
  }

  /// The body of a request as `Body`.
  ///
  /// - Throws: ``APIError`` with 400, naming the member that is wrong.
  static func read<Body: Decodable>(_ type: Body.Type, from request: HTTPRequest) throws(APIError) -> Body {
    do {
      return try JSONDecoder().decode(type, from: Data(request.body))
    } catch DecodingError.keyNotFound(let key, _) {
      throw APIError(400, .missingParameter, "the body has no '\(key.stringValue)'")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      let name = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw APIError(
        400, .invalidParameter, name.isEmpty ? "the body is not an object" : "'\(name)' has the wrong type")
    } catch {
      throw APIError(400, .badRequest, "the body is not JSON")
    }
  }
}
