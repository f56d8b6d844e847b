/* Small traces that hold something of everything. */
#ifndef OC_TESTS_FUZZ_TRACES_H
#define OC_TESTS_FUZZ_TRACES_H

/* A dozen of each kind of event on three resources. */
void write_small_trace(const char *path);

/* As long as a trace can be. */
void write_long_trace(const char *path);

/* Of several chunks, in two units. */
void write_trace_of_chunks(const char *path);

#endif
