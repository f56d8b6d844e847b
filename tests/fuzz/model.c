/* Any bytes as those of a model: from_bytes gives a model or says what is damaged, and a model that
 * it gives answers questions and goes to bytes and back.
 *
 * The input is what follows the head: the head, with the checksum, is made here. */
#include "fuzz.h"

#include "base/file/digest.h"

#include <ocelotl/ocelotl.h>

enum { HEAD = 20, MOST_TYPES = 256, MOST_NODES = 200, MOST_SLICES = 64 };

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    return 0;
}

static unsigned char *with_head(const uint8_t *bytes, size_t length)
{
    static const unsigned char head[] = {'o', 'c', 'e', 'l', 'o', 't', 'l', 'M', 1, 0, 0, 0};
    const uint64_t sum = oc_checksum(bytes, length, 1);
    unsigned char *whole = malloc(HEAD + length);
    FUZZ_CHECK(whole != NULL);
    memcpy(whole, head, sizeof head);
    for (size_t i = 0; i < 8; i++)
        whole[sizeof head + i] = (unsigned char)(sum >> 8 * i);
    if (length > 0)
        memcpy(whole + HEAD, bytes, length);
    return whole;
}

static void ask(const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    double values[MOST_TYPES];
    for (uint32_t k = 0; k < info.node_count && k < MOST_NODES; k++) {
        ocelotl_place place;
        if (info.type_count <= MOST_TYPES)
            CHECK_OK(ocelotl_model_values(values, model, k, 0, info.slice_count - 1));
        if (ocelotl_model_place(&place, model, k, 0, 0) == OCELOTL_OK)
            ocelotl_place_free(&place);
    }
}

/* Of a small model: more would be slow. */
static void solve(const ocelotl_model *model)
{
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
    if (info.node_count > MOST_NODES || info.slice_count > MOST_SLICES)
        return;
    CHECK_OK(ocelotl_aggregation_create(&aggregation, model, NULL));
    CHECK_OK(ocelotl_solve(&partition, aggregation, 0.5));
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
}

static void check_round(const ocelotl_model *model)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    ocelotl_model *back;
    CHECK_OK(ocelotl_model_to_bytes(&sink, model));
    CHECK_OK(ocelotl_model_from_bytes(&back, buffer.bytes, buffer.size));
    FUZZ_CHECK(ocelotl_model_hash(back) == ocelotl_model_hash(model));
    ocelotl_model_free(back);
    ocelotl_buffer_free(&buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    ocelotl_model *model;
    unsigned char *whole = with_head(bytes, length);
    const ocelotl_status status = ocelotl_model_from_bytes(&model, whole, HEAD + length);
    free(whole);
    if (status != OCELOTL_OK) {
        fuzz_check_failure(status);
        return 0;
    }
    ask(model);
    solve(model);
    check_round(model);
    ocelotl_model_free(model);
    return 0;
}
