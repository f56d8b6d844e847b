/* Reads a trace.db that an importer made of hostile bytes. */
#ifndef OC_TESTS_FUZZ_MADE_H
#define OC_TESTS_FUZZ_MADE_H

/* Opens it, builds models, reads its events and removes it: a trace that was made is sound. */
void check_made(const char *path);

#endif
