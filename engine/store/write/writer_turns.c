/* In which turns of several ranks a part's names are declared. */
#include "store/write/writer.h"

#include <inttypes.h>

void oc_writer_note_turn(ocelotl_writer *writer, char kind, uint32_t of)
{
    oc_writer_turns *turns = &writer->turns;
    if (!turns->is_part)
        return;
    if (!turns->is_said)
        oc_text_format(&turns->text, "#%" PRIu64, turns->turn);
    turns->is_said = true;
    if (kind == 'A')
        oc_text_format(&turns->text, "A%" PRIu32, of);
    else
        oc_text_append(&turns->text, kind == 'R' && turns->elsewhere ? "X" : &kind, 1);
}
