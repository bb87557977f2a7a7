import CHTTPParser
import CLibUV
import COpenSSL
import Transport
