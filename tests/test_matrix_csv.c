#define _GNU_SOURCE
#include "base/matrix.h"

#include "check.h"

#include <locale.h>
#include <unistd.h>
#include <zlib.h>

#define HEADER "path,type,slice,value\n"

static char folder[4096];
static char path[4200];

static void prepare(void)
{
    const char *where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/ocelotl-matrix-XXXXXX",
             where != NULL && where[0] != '\0' ? where : "/tmp");
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/some.thing.csv", folder);
}

static void write_file(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, length, file) == length);
    CHECK(fclose(file) == 0);
}

static ocelotl_model *read_text(const char *text)
{
    ocelotl_model *model;
    write_file(text, strlen(text));
    CHECK_OK(ocelotl_model_from_csv(&model, path));
    return model;
}

/* The file is refused, with a message that names it and holds this text behind. */
static void check_refused_bytes(const char *bytes, size_t length, const char *message)
{
    char whole[8192];
    ocelotl_model *model = NULL;
    write_file(bytes, length);
    snprintf(whole, sizeof whole, "%s:%s", path, message);
    CHECK_FAILS(ocelotl_model_from_csv(&model, path), OCELOTL_ERROR_INPUT, whole);
    CHECK(model == NULL);
}

static void check_refused(const char *text, const char *message)
{
    check_refused_bytes(text, strlen(text), message);
}

/* The paths of all nodes in the order of drawing, each followed by a blank. */
static void check_paths(const ocelotl_model *model, const char *expected)
{
    char paths[1024] = "";
    for (uint32_t k = 1; k < ocelotl_model_info_of(model).node_count; k++) {
        strcat(paths, ocelotl_model_node_at(model, k).path);
        strcat(paths, " ");
    }
    CHECK_TEXT(paths, expected);
}

static double cell(const ocelotl_model *model, const char *leaf_path, const char *type,
                   uint32_t slice)
{
    const oc_matrix *matrix = oc_model_matrix(model);
    for (size_t s = 0; s < matrix->series_count; s++) {
        const oc_series *series = &matrix->series[s];
        uint32_t node = 0;
        while (!oc_tree_is_leaf(&matrix->tree, node) ||
               matrix->tree.leaf_first[node] != series->leaf)
            node++;
        if (strcmp(ocelotl_model_node_at(model, node).path, leaf_path) != 0 ||
            strcmp(ocelotl_model_type_at(model, series->type).name, type) != 0)
            continue;
        for (size_t c = series->first; c < series[1].first; c++)
            if (matrix->cell_slice[c] == slice)
                return matrix->cell_value[c];
    }
    return 0;
}

static void test_plain(void)
{
    ocelotl_model *model = read_text(HEADER "b/y,run,2,0.5\n"
                                            "a,wait,0,1e2\n"
                                            "b/x,run,0,3\n"
                                            "b/z,idle,7,0\n"
                                            "a,run,2,.25\n");
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK_TEXT(info.name, "some.thing");
    CHECK_TEXT(info.uid, "");
    CHECK(!info.has_time && info.node_count == 6 && info.leaf_count == 4 && info.slice_count == 8);
    CHECK(info.type_count == 3 && info.cell_count == 4);
    check_paths(model, "b b/y b/x b/z a ");
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "run");
    CHECK_TEXT(ocelotl_model_type_at(model, 1).name, "wait");
    CHECK_TEXT(ocelotl_model_type_at(model, 2).name, "idle");
    CHECK(cell(model, "b/y", "run", 2) == 0.5 && cell(model, "a", "wait", 0) == 100);
    CHECK(cell(model, "b/x", "run", 0) == 3 && cell(model, "a", "run", 2) == 0.25);
    CHECK(ocelotl_model_node_at(model, 3).end == 8);
    ocelotl_model_free(model);
}

static void test_quoting(void)
{
    ocelotl_model *model = read_text("\xEF\xBB\xBF\"path\",type,slice,value\r\n"
                                     "\"a,b/c \"\"d\"\"\",\"two\nlines\",\"0\",1\r\n"
                                     "\r\n"
                                     "e%2Ff%25/g%zz%2,,1,2");
    check_paths(model, "a,b a,b/c \"d\" e%2Ff%25 e%2Ff%25/g%25zz%252 ");
    CHECK_TEXT(ocelotl_model_node_at(model, 3).name, "e/f%");
    CHECK_TEXT(ocelotl_model_node_at(model, 4).name, "g%zz%2");
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "two\nlines");
    CHECK_TEXT(ocelotl_model_type_at(model, 1).name, "");
    CHECK(ocelotl_model_info_of(model).slice_count == 2);
    ocelotl_model_free(model);
    /* two ways to write one name */
    model = read_text(HEADER "a%2Fb,x,0,1\na%2fb,x,1,1\n");
    check_paths(model, "a%2Fb ");
    ocelotl_model_free(model);
}

static void test_own_leaves(void)
{
    ocelotl_model *model = read_text(HEADER "a,x,0,1\na/b,x,0,2\n,x,1,4\na,x,1,3\n");
    check_paths(model, "a a/. a/b . ");
    CHECK(cell(model, "a/.", "x", 0) == 1 && cell(model, "a/.", "x", 1) == 3 &&
          cell(model, ".", "x", 1) == 4);
    ocelotl_model_free(model);
    model = read_text(HEADER "a/b,x,0,2\na/.,x,0,1\na,x,1,3\n");
    check_paths(model, "a a/b a/. ");
    CHECK(cell(model, "a/.", "x", 0) == 1 && cell(model, "a/.", "x", 1) == 3);
    ocelotl_model_free(model);
    /* a node that turns out to be a leaf needs none, one that is asked for stays */
    model = read_text(HEADER "a,x,0,1\n");
    check_paths(model, "a ");
    ocelotl_model_free(model);
    model = read_text(HEADER "a,x,0,1\na/.,x,1,1\n");
    check_paths(model, "a a/. ");
    CHECK(cell(model, "a/.", "x", 0) == 1);
    ocelotl_model_free(model);
    /* 0 given to an inner node declares type and slice, not a leaf */
    model = read_text(HEADER "a/b,x,0,1\na,y,9,0\n");
    check_paths(model, "a a/b ");
    CHECK(ocelotl_model_info_of(model).slice_count == 10 &&
          ocelotl_model_info_of(model).type_count == 2);
    ocelotl_model_free(model);
    model = read_text(HEADER ",x,0,1\n,x,1,2\n");
    CHECK(ocelotl_model_info_of(model).node_count == 1 && cell(model, "", "x", 1) == 2);
    ocelotl_model_free(model);
}

static void test_zeros(void)
{
    ocelotl_model *model = read_text(HEADER "a,x,4,0\n");
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK(info.leaf_count == 1 && info.type_count == 1 && info.slice_count == 5 &&
          info.cell_count == 0);
    ocelotl_model_free(model);
}

static void test_invalid_utf8(void)
{
    ocelotl_model *model = read_text(HEADER "a\xFF,x\xC3,0,1\n\"<&\"\">\",x,0,1\n");
    CHECK_TEXT(ocelotl_model_node_at(model, 1).name, "a\xEF\xBF\xBD");
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "x\xEF\xBF\xBD");
    ocelotl_model_free(model);
}

static void test_broken_files(void)
{
    check_refused("", " is empty");
    check_refused("\n\n", " is empty");
    check_refused(HEADER, " holds no cell");
    check_refused("path,type,slice\n", "1: a header of 3 fields");
    check_refused("type,path,slice,value\n", "1: a header of 4 fields that begins with \"type\"");
    check_refused(HEADER "a,x,0\n", "2: 3 fields, expected 4");
    check_refused(HEADER "a,x,0,1,\n", "2: 5 fields, expected 4");
    check_refused(HEADER "\na,x,0,1\n\"a,x,0,2\n\n", "4: a field in quotes does not end");
    check_refused(HEADER "a,\"x\"y,0,1\n", "2: text behind a closing quote");
    check_refused(HEADER "a,x\"y\",0,1\n", "2: a quote inside a field");
    check_refused_bytes(HEADER "a,x\0,0,1\n", sizeof HEADER + 9, "2: a NUL byte");
    check_refused(HEADER "a//b,x,0,1\n", "2: path is a//b, expected a name");
    check_refused(HEADER "/a,x,0,1\n", "2: path is /a, expected a name");
    check_refused(HEADER "a/,x,0,1\n", "2: path is a/, expected a name");
    check_refused(HEADER "a/./b,x,0,1\n", "2: path is a/./b, expected nothing below");
}

static void test_broken_numbers(void)
{
    static const char *const values[] = {"-1",   "inf", "nan", "1e999", "",   "1,5",
                                         "0x10", "1 ",  " 1",  ".",     "1e", "x"};
    static const char *const slices[] = {"-1", "1.5", "", " 1", "1000000", "99999999999999999999",
                                         "+1"};
    char text[256], message[256];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        snprintf(text, sizeof text, HEADER "a,x,0,1\na,x,1,\"%s\"\n", values[i]);
        snprintf(message, sizeof message, "3: value is %s, expected a finite number >= 0",
                 values[i][0] != '\0' ? values[i] : "empty");
        check_refused(text, message);
    }
    for (size_t i = 0; i < sizeof slices / sizeof slices[0]; i++) {
        snprintf(text, sizeof text, HEADER "a,x,%s,1\n", slices[i]);
        check_refused(text, "2: slice is ");
    }
    ocelotl_model_free(read_text(HEADER "a,x,999999,1\n"));
}

static void test_given_twice(void)
{
    check_refused(HEADER "a,x,0,1\nb,x,0,1\na,x,0,2\n",
                  "4: the cell is given twice, first in line 2");
    check_refused(HEADER "a,x,0,0\nb,x,0,1\na,x,0,0\n",
                  "4: the cell is given twice, first in line 2");
    check_refused(HEADER "a,x,0,1\na/.,x,0,1\n", "3: the cell is given twice, first in line 2");
    check_refused(HEADER "a,x,0,0\na/b,x,0,1\na,x,0,0\n",
                  "4: the cell is given twice, first in line 2");
    check_refused(HEADER "a%2Fb,x,0,1\n\na%2fb,x,0,1\n",
                  "4: the cell is given twice, first in line 2");
}

static void test_no_such_file(void)
{
    ocelotl_model *model = NULL;
    CHECK_FAILS(ocelotl_model_from_csv(&model, "/there/is/no.csv"), OCELOTL_ERROR_IO,
                "/there/is/no.csv: ");
    CHECK_FAILS(ocelotl_model_from_csv(&model, folder), OCELOTL_ERROR_IO, "is a directory");
}

static void test_compressed(void)
{
    static const char text[] = HEADER "a,x,0,1\n";
    char compressed[4300];
    ocelotl_model *model;
    snprintf(compressed, sizeof compressed, "%s/small.csv.gz", folder);
    gzFile file = gzopen(compressed, "wb");
    CHECK(file != NULL && gzwrite(file, text, sizeof text - 1) == (int)sizeof text - 1 &&
          gzclose(file) == Z_OK);
    CHECK_OK(ocelotl_model_from_csv(&model, compressed));
    CHECK_TEXT(ocelotl_model_info_of(model).name, "small");
    ocelotl_model_free(model);
    CHECK(unlink(compressed) == 0);
}

/* Numbers have a decimal point whatever the locale; without such a locale installed this shows
 * nothing. */
static void test_locale(void)
{
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL &&
        setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL)
        return;
    ocelotl_model *model = read_text(HEADER "a,x,0,0.5\n");
    CHECK(cell(model, "a", "x", 0) == 0.5);
    ocelotl_model_free(model);
    setlocale(LC_NUMERIC, "C");
}

/* Rows in any order give the same cells, through buffers that end anywhere. */
static void test_large(void)
{
    enum { LEAVES = 300, SLICES = 40 };
    ocelotl_model *model;
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fputs(HEADER, file) >= 0);
    for (uint32_t i = 0; i < LEAVES * SLICES; i++) {
        const uint32_t place = (uint32_t)((uint64_t)i * 7919 % (LEAVES * SLICES));
        const uint32_t leaf = place / SLICES;
        fprintf(file, "\"group %u/leaf \"\"%u\"\"\",x,%u,%u\n", leaf % 7, leaf, place % SLICES,
                place + 1);
    }
    CHECK(fclose(file) == 0);
    CHECK_OK(ocelotl_model_from_csv(&model, path));
    CHECK(ocelotl_model_info_of(model).leaf_count == LEAVES);
    CHECK(ocelotl_model_info_of(model).cell_count == LEAVES * SLICES);
    CHECK(cell(model, "group 3/leaf \"17\"", "x", 5) == 17 * SLICES + 5 + 1);
    ocelotl_model_free(model);
}

int main(void)
{
    prepare();
    test_plain();
    test_quoting();
    test_own_leaves();
    test_zeros();
    test_invalid_utf8();
    test_broken_files();
    test_broken_numbers();
    test_given_twice();
    test_no_such_file();
    test_compressed();
    test_locale();
    test_large();
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
    return 0;
}
