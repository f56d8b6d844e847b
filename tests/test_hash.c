/* The hashes that others are made of: known answers, and that keys keep names from colliding; and
 * checksums, of which no bit can change unseen. */
#include "check.h"

#include "base/file/digest.h"
#include "base/map.h"

#include <ocelotl/digest.h>

/* Of the reference implementation of SipHash-1-3: the key is the bytes 0 to 15, the message those
 * from 0 on. */
static void check_keyed(void)
{
    static const uint64_t known[] = {0xABAC0158050FC4DCu, 0xC9F49BF37D57CA93u, 0x82CB9B024DC7D44Du,
                                     0x8BF80AB8E7DDF7FBu, 0xCF75576088D38328u, 0xDEF9D52F49533B67u,
                                     0xC50D2B50C59F22A7u, 0xD3927D989BB11140u, 0x369095118D299A8Eu};
    const oc_hash_key key = {0x0706050403020100u, 0x0F0E0D0C0B0A0908u};
    unsigned char message[sizeof known / sizeof known[0]];
    for (size_t length = 0; length < sizeof message; length++) {
        message[length] = (unsigned char)length;
        CHECK(oc_hash_keyed(&key, message, length) == known[length]);
    }
    const oc_hash_key one = oc_hash_key_draw();
    const oc_hash_key other = oc_hash_key_draw();
    CHECK(one.first != other.first && one.second != other.second);
    CHECK(oc_hash_keyed(&one, "a", 1) != oc_hash_keyed(&other, "a", 1));
    CHECK(oc_hash_numbers(&one, 1, 2) != oc_hash_numbers(&one, 2, 1));
}

static void check_digest_of(const char *text, size_t times, uint64_t first, uint64_t second)
{
    oc_digest digest;
    uint64_t result[2];
    oc_digest_begin(&digest);
    for (size_t i = 0; i < times; i++)
        oc_digest_bytes(&digest, text, strlen(text));
    oc_digest_end(result, &digest);
    if (result[0] != first || result[1] != second)
        fprintf(stderr, "%s x %zu: %016llx %016llx\n", text, times, (unsigned long long)result[0],
                (unsigned long long)result[1]);
    CHECK(result[0] == first && result[1] == second);
}

/* As another implementation of BLAKE2b with 16 bytes has them; blocks are of 128 bytes. */
static void check_digest(void)
{
    check_digest_of("", 1, 0x40BDEFD94169E6CAu, 0x7076A68E75884D4Eu);
    check_digest_of("abc", 1, 0x2B8D2BC691B74ACFu, 0x1678287502C90921u);
    check_digest_of("0123456789abcdef", 8, 0xD33B13DC85A865E4u, 0x944BD0CA622B81EFu);
    check_digest_of("0123456789abcdef", 16, 0x2376AF2427DAA466u, 0x5110444BA5C25EF7u);
    check_digest_of("abc", 1000, 0xC4DD149CD0CB2354u, 0x33C1C80AF9A81543u);
    uint64_t chained[2] = {0};
    ocelotl_digest(chained, "a", 1);
    const uint64_t known[2] = {0x9BCC09B26AA01CC8u, 0xBB7905CF2FD984CBu};
    CHECK(memcmp(chained, known, sizeof known) == 0);
    ocelotl_digest(chained, "", 0);
    CHECK(chained[0] != known[0]);
}

static void check_checksums(void)
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

/* Whatever the seed, a map finds all it was given. */
static void check_map(void)
{
    enum { COUNT = 5000 };
    oc_map map = {0};
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK_OK(oc_map_set(&map, &i, sizeof i, COUNT - i));
    for (uint32_t i = 0; i < COUNT; i++)
        CHECK(oc_map_get(&map, &i, sizeof i) == COUNT - i);
    CHECK(oc_map_get(&map, "", 0) == OC_MAP_NONE);
    CHECK_OK(oc_map_set(&map, "", 0, 7));
    CHECK(oc_map_get(&map, "", 0) == 7);
    oc_map_free(&map);
}

int main(void)
{
    check_keyed();
    check_digest();
    check_checksums();
    check_bits();
    check_map();
    return 0;
}
