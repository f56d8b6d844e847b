/* Trees of types: where types are in them. */
#include "temporary.h"
#include "types/lookup.h"

static ocelotl_type_tree *read_text(const char *text)
{
    ocelotl_type_tree *tree = NULL;
    const char *path = temporary_path("tree.txt");
    temporary_write(path, text, strlen(text));
    CHECK(ocelotl_type_tree_read(&tree, path) == OCELOTL_OK);
    return tree;
}

static const char *group_of(const ocelotl_type_tree *tree, const char *type)
{
    return ocelotl_type_tree_group_at(tree, ocelotl_type_tree_find(NULL, tree, type)).name;
}

static void check_places(void)
{
    ocelotl_type_tree *tree = read_text("A\n  B\n    one\n    t*\n  three\nC/D/two\nA/B/o?e\n");
    const ocelotl_type_tree_info info = ocelotl_type_tree_info_of(tree);
    CHECK(info.levels == 3 && info.group_count == 5);
    CHECK_TEXT(group_of(tree, "one"), "B");
    CHECK_TEXT(group_of(tree, "ore"), "B");
    CHECK_TEXT(group_of(tree, "ten"), "B");
    /* A name goes before a pattern, wherever it stands. */
    CHECK_TEXT(group_of(tree, "three"), "A");
    CHECK_TEXT(group_of(tree, "two"), "D");
    CHECK_TEXT(group_of(tree, "unknown"), "other");
    /* The name of a group. */
    CHECK_TEXT(group_of(tree, "D"), "D");
    /* A value behind its event type; two colons divide nothing. */
    CHECK_TEXT(group_of(tree, "STATE:two"), "D");
    CHECK_TEXT(group_of(tree, "Thread:STATE:two"), "D");
    CHECK_TEXT(group_of(tree, "std::two"), "other");
    CHECK_TEXT(group_of(tree, "D:"), "other");
    bool known = true;
    (void)ocelotl_type_tree_find(&known, tree, "std::two");
    CHECK(!known);
    ocelotl_type_tree_free(tree);
}

static void check_levels(void)
{
    ocelotl_type_tree *tree = read_text("A\n  B\n    one\n  three\n");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "one", 1), "A");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "one", 2), "B");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "one", 3), "one");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "three", 2), "three");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "x", 1), "other");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "x", 2), "x");
    CHECK(ocelotl_type_tree_place(tree, "one") < ocelotl_type_tree_place(tree, "three"));
    CHECK(ocelotl_type_tree_place(tree, "three") < ocelotl_type_tree_place(tree, "x"));
    CHECK(ocelotl_type_tree_find_group(tree, "B") < ocelotl_type_tree_info_of(tree).group_count);
    CHECK(ocelotl_type_tree_find_group(tree, "one") == OCELOTL_NONE);
    CHECK_TEXT(ocelotl_type_tree_group_at(tree, 1000).name, "");
    ocelotl_type_tree_free(tree);
}

/* A group "other" of the file has what it does not name, too. */
static void check_other(void)
{
    ocelotl_type_tree *tree = read_text("A/x\nA/other/y\n");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "unknown", 1), "A");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "unknown", 2), "other");
    CHECK_TEXT(ocelotl_type_tree_name_at(tree, "unknown", 3), "unknown");
    CHECK(ocelotl_type_tree_info_of(tree).group_count == 2);
    ocelotl_type_tree_free(tree);
}

/* One tree in two forms has one hash; names and places count. */
static void check_hash(void)
{
    static const char *const texts[] = {"A\n  B\n    x\n  y\n", "A/B/x\nA/y\n", "A\n\tB/x\n\ty\n",
                                        "A/B/y\nA/x\n", "A/B/x\nA/z\n"};
    uint64_t hashes[5];
    for (size_t i = 0; i < 5; i++) {
        ocelotl_type_tree *tree = read_text(texts[i]);
        hashes[i] = ocelotl_type_tree_info_of(tree).hash;
        ocelotl_type_tree_free(tree);
    }
    CHECK(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    CHECK(hashes[0] != hashes[3] && hashes[0] != hashes[4] && hashes[3] != hashes[4]);
}

/* Names that tracers give, and where a person looks for them. */
static void check_built_in(void)
{
    static const struct {
        const char *tree, *type, *group;
    } known[] = {
        {"mpi", "MPI_Send", "Sending"},
        {"mpi", "PMPI_Isend", "Sending"},
        {"mpi", "MPI_Ssend", "Sending"},
        {"mpi", "MPI_Irecv", "Receiving"},
        {"mpi", "MPI_Sendrecv_replace", "Exchanging"},
        {"mpi", "MPI_Waitall", "Completing"},
        {"mpi", "Wait/WaitAll", "Completing"},
        {"mpi", "MPI_Barrier", "Synchronising"},
        {"mpi", "MPI_Ibcast", "One to all"},
        {"mpi", "MPI_Reduce", "All to one"},
        {"mpi", "MPI_Reduce_scatter_block", "All to all"},
        {"mpi", "MPI_Allreduce", "All to all"},
        {"mpi", "MPI_Alltoallv", "All to all"},
        {"mpi", "MPI_Alloc_mem", "MPI management"},
        {"mpi", "MPI_Win_fence", "One-sided"},
        {"mpi", "MPI_Accumulate", "One-sided"},
        {"mpi", "MPI_File_write_at_all", "MPI files"},
        {"mpi", "MPI_Comm_split", "MPI management"},
        {"mpi", "MPI_Init_thread", "MPI management"},
        {"mpi", "computing", "Application"},
        {"openmp", "!$omp parallel @solve.c:12", "Regions"},
        {"openmp", "!$omp for @solve.c:14", "Loops and sections"},
        {"openmp", "!$omp implicit barrier @solve.c:20", "Barriers"},
        {"openmp", "!$omp critical @a.c:1", "Locks"},
        {"openmp", "Scheduling and Fork/Join", "OpenMP overhead"},
        {"cuda", "Memcpy HtoD (Pageable -> Device)", "To the device"},
        {"cuda", "Memcpy DtoH", "To the host"},
        {"cuda", "cudaLaunchKernel", "Launches"},
        {"cuda", "cudaStreamSynchronize", "CUDA waiting"},
        {"cuda", "cudaMemcpyAsync", "Copies asked for"},
        {"cuda", "void at::native::elementwise_kernel<128, 2>", "Kernels"},
        {"cuda", "ncclKernel_AllReduce_RING_LL", "Collectives of devices"},
        {"kernel", "running", "User mode"},
        {"kernel", "ready", "Waiting for a CPU"},
        {"kernel", "blocked in I/O", "In the kernel"},
        {"kernel", "epoll_wait", "System calls"},
        {"kernel", "irq eth0", "Interrupts"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ocelotl_type_tree *tree = NULL;
        CHECK(ocelotl_type_tree_read(&tree, known[i].tree) == OCELOTL_OK);
        CHECK_TEXT(group_of(tree, known[i].type), known[i].group);
        ocelotl_type_tree_free(tree);
    }
    for (size_t i = 0; i < ocelotl_built_in_tree_count(); i++) {
        ocelotl_type_tree *tree = NULL;
        CHECK(ocelotl_type_tree_read(&tree, ocelotl_built_in_tree_at(i).name) == OCELOTL_OK);
        CHECK(ocelotl_type_tree_info_of(tree).levels == 3);
        ocelotl_type_tree_free(tree);
    }
    CHECK_TEXT(ocelotl_built_in_tree_at(ocelotl_built_in_tree_count()).name, "");
}

/* Names of many colons cost no more than others. */
static void check_colons(void)
{
    enum { LENGTH = 200000 };
    static char name[LENGTH + 1];
    ocelotl_type_tree *tree = read_text("A/x\n");
    for (int i = 0; i < LENGTH; i++)
        name[i] = i % 2 == 0 ? 'a' : ':';
    CHECK_TEXT(group_of(tree, name), "other");
    ocelotl_type_tree_free(tree);
}

int main(void)
{
    temporary_begin();
    check_places();
    check_levels();
    check_other();
    check_hash();
    check_built_in();
    check_colons();
    return 0;
}
