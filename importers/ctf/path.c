/* Paths of names in metadata: "stream.event.header", "a->b". */
#include "importers/ctf/parser.h"

ocelotl_status ctf_parse_path(ctf_parser *parser)
{
    ctf_tokens *tokens = &parser->tokens;
    bool goes_on = true;
    oc_text_clear(&parser->word);
    while (goes_on) {
        if (tokens->kind != CTF_TOKEN_WORD)
            return ctf_fail_token(tokens, "a name");
        oc_text_append(&parser->word, tokens->begin, tokens->length);
        OC_TRY(ctf_next(tokens));
        goes_on = ctf_is_sign(tokens, ".") || ctf_is_sign(tokens, "->");
        if (goes_on) {
            oc_text_add(&parser->word, ".");
            OC_TRY(ctf_next(tokens));
        }
    }
    return parser->word.failed ? oc_fail_memory() : OCELOTL_OK;
}
