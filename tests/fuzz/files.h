/* The files of a small trace, edited byte by byte. */
#ifndef OC_TESTS_FUZZ_FILES_H
#define OC_TESTS_FUZZ_FILES_H

#include "fuzz.h"

enum { FILE_EDIT = 5, FILE_EDITS_MOST = 12, FILE_ROOM = 1 << 17 };

typedef struct fuzz_file {
    const char *name;
    size_t length;
    uint8_t bytes[FILE_ROOM];
} fuzz_file;

/* Inserts bytes, if there is room. */
static inline void fuzz_file_insert(fuzz_file *file, size_t place, size_t count, uint8_t byte)
{
    if (file->length + count > FILE_ROOM)
        return;
    memmove(file->bytes + place + count, file->bytes + place, file->length - place);
    memset(file->bytes + place, byte, count);
    file->length += count;
}

static inline void fuzz_file_edit(fuzz_file *file, unsigned what, size_t place,
                                  const uint8_t value[2])
{
    const size_t rest = file->length - place;
    const size_t wide = value[1] < rest ? value[1] : rest;
    uint8_t *at = file->bytes + place;
    switch (what) {
    case 0:
    case 1:
        at[0] = value[0];
        break;
    case 2:
        at[0] = (uint8_t)(at[0] + value[0]);
        break;
    case 3:
        memset(at, value[0], wide < 9 ? wide : 9);
        break;
    case 4:
        memmove(at, at + wide, rest - wide);
        file->length -= wide;
        break;
    case 5:
        file->length = place;
        break;
    case 6: /* the same bytes once more */
        if (file->length + wide <= FILE_ROOM) {
            fuzz_file_insert(file, place, wide, 0);
            memcpy(at, at + wide, wide);
        }
        break;
    default:
        fuzz_file_insert(file, place, value[1] % 16, value[0]);
    }
}

/* Edits of five bytes: the file and what is done, where (two bytes), with what (two bytes). Gives
 * how many there were. */
static inline size_t fuzz_files_edit(fuzz_file *files, unsigned count, unsigned kinds,
                                     const uint8_t *edits, size_t length)
{
    size_t made = 0;
    for (; made < FILE_EDITS_MOST && (made + 1) * FILE_EDIT <= length; made++) {
        const uint8_t *one = edits + made * FILE_EDIT;
        fuzz_file *file = &files[one[0] % count];
        if (file->length > 0)
            fuzz_file_edit(file, one[0] / count % kinds, (one[1] + 256U * one[2]) % file->length,
                           one + 3);
    }
    return made;
}

#endif
