#include "models/hardware/payload.hpp"
#include "tests/catch.hpp"

namespace nocturne::payload_test {

TEST_CASE("forms of payload have names", "[hardware][payload]")
{
    for (const PayloadForm form : {PayloadForm::held, PayloadForm::digest})
        CHECK(parse_payload_form(to_string(form)) == form);
    CHECK_THROWS_WITH(parse_payload_form("bytes"), "unknown payload 'bytes': known are held, digest");
}

} // namespace nocturne::payload_test
