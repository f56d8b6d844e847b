/* Checksums are those that others compute, and no bit of what they are of can change unseen. */
#include "check.h"

#include "base/digest.h"

static void check_known(void)
{
    static const char text[] = "Nobody inspects the spammish repetition";
    CHECK(oc_checksum("", 0, 0) == 0xEF46DB3751D8E999u);
    CHECK(oc_checksum("a", 1, 0) == 0xD24EC4F1A98C6E5Bu);
    CHECK(oc_checksum("abc", 3, 0) == 0x44BC2CF5AD770999u);
    CHECK(oc_checksum(text, sizeof text - 1, 0) == 0xFBCEA83C8A378BF1u);
}

/* All ways through the rest of a block: words, half a word, bytes. */
static void check_bits(void)
{
    unsigned char bytes[200];
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)check_random(&random);
    for (size_t length = 0; length <= sizeof bytes; length++) {
        const uint64_t whole = oc_checksum(bytes, length, length);
        CHECK(oc_checksum(bytes, length, length + 1) != whole);
        CHECK(length == 0 || oc_checksum(bytes, length - 1, length) != whole);
        for (size_t bit = 0; bit < 8 * length; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            CHECK((uint32_t)oc_checksum(bytes, length, length) != (uint32_t)whole);
            bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
}

int main(void)
{
    check_known();
    check_bits();
    return 0;
}
