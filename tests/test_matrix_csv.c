/* Matrices as CSV: what becomes of their rows, and which files are refused, with their place. */
#include "temporary.h"
#include "test_model_cells.h"

#include <locale.h>
#include <zlib.h>

#define HEADER "path,type,slice,value\n"

static char path[1400];

static ocelotl_model *read_text(const char *text)
{
    ocelotl_model *model;
    temporary_write(path, text, strlen(text));
    CHECK_OK(ocelotl_model_from_csv(&model, path));
    return model;
}

/* The file is refused, with a message that names it and holds this text behind. */
static void check_refused_bytes(const char *bytes, size_t length, const char *message)
{
    char whole[8192];
    ocelotl_model *model = NULL;
    temporary_write(path, bytes, length);
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

static double cell(const ocelotl_model *model, const char *leaf, const char *type, uint32_t slice)
{
    return cells_of(model, cells_leaf(model, leaf), type, slice);
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
    OWN_MODEL *model = read_text("\xEF\xBB\xBF\"path\",type,slice,value\r\n"
                                 "\"a,b/c \"\"d\"\"\",\"two\nlines\",\"0\",1\r\n"
                                 "\r\n"
                                 "e%2Ff%25/g%zz%2,,1,2");
    check_paths(model, "a,b a,b/c \"d\" e%2Ff%25 e%2Ff%25/g%25zz%252 ");
    CHECK_TEXT(ocelotl_model_node_at(model, 3).name, "e/f%");
    CHECK_TEXT(ocelotl_model_node_at(model, 4).name, "g%zz%2");
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "two\nlines");
    CHECK_TEXT(ocelotl_model_type_at(model, 1).name, "");
    CHECK(ocelotl_model_info_of(model).slice_count == 2);
}

/* What rows make: the paths of all nodes, and what some cells hold. */
static void test_leaves(void)
{
    static const struct {
        const char *text, *paths;
        uint32_t types, slices;
        struct {
            const char *path;
            uint32_t slice;
            double value;
        } cells[3]; /* of the type x */
    } cases[] = {
        /* two ways to write one name */
        {"a%2Fb,x,0,1\na%2fb,x,1,1\n", "a%2Fb ", 1, 2, {{"a%2Fb", 1, 1}}},
        /* what an inner node has itself is a leaf of its own */
        {"a,x,0,1\na/b,x,0,2\n,x,1,4\na,x,1,3\n",
         "a a/. a/b . ",
         1,
         2,
         {{"a/.", 0, 1}, {"a/.", 1, 3}, {".", 1, 4}}},
        {"a/b,x,0,2\na/.,x,0,1\na,x,1,3\n", "a a/b a/. ", 1, 2, {{"a/.", 0, 1}, {"a/.", 1, 3}}},
        /* a node that turns out to be a leaf needs none, one that is asked for stays */
        {"a,x,0,1\n", "a ", 1, 1, {{"a", 0, 1}}},
        {"a,x,0,1\na/.,x,1,1\n", "a a/. ", 1, 2, {{"a/.", 0, 1}}},
        /* 0 given to an inner node declares type and slice, not a leaf */
        {"a/b,x,0,1\na,y,9,0\n", "a a/b ", 2, 10, {{"a/b", 0, 1}}},
        {",x,0,1\n,x,1,2\n", "", 1, 2, {{"", 1, 2}}},
        {"a,x,4,0\n", "a ", 1, 5, {{"a", 4, 0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, HEADER "%s", cases[i].text);
        OWN_MODEL *model = read_text(text);
        check_paths(model, cases[i].paths);
        CHECK(ocelotl_model_info_of(model).type_count == cases[i].types);
        CHECK(ocelotl_model_info_of(model).slice_count == cases[i].slices);
        for (size_t c = 0; c < 3 && cases[i].cells[c].path != NULL; c++)
            CHECK(cell(model, cases[i].cells[c].path, "x", cases[i].cells[c].slice) ==
                  cases[i].cells[c].value);
    }
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
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", " is empty"},
        {"\n\n", " is empty"},
        {HEADER, " holds no cell"},
        {"path,type,slice\n", "1: a header of 3 fields"},
        {"type,path,slice,value\n", "1: a header of 4 fields that begins with \"type\""},
        {HEADER "a,x,0\n", "2: 3 fields, expected 4"},
        {HEADER "a,x,0,1,\n", "2: 5 fields, expected 4"},
        {HEADER "\na,x,0,1\n\"a,x,0,2\n\n", "4: a field in quotes does not end"},
        {HEADER "a,\"x\"y,0,1\n", "2: text behind a closing quote"},
        {HEADER "a,x\"y\",0,1\n", "2: a quote inside a field"},
        {HEADER "a//b,x,0,1\n", "2: path is a//b, expected a name"},
        {HEADER "/a,x,0,1\n", "2: path is /a, expected a name"},
        {HEADER "a/,x,0,1\n", "2: path is a/, expected a name"},
        {HEADER "a/./b,x,0,1\n", "2: path is a/./b, expected nothing below"},
        {HEADER "a,x,0,1\nb,x,0,1\na,x,0,2\n", "4: the cell is given twice, first in line 2"},
        {HEADER "a,x,0,0\nb,x,0,1\na,x,0,0\n", "4: the cell is given twice, first in line 2"},
        {HEADER "a,x,0,1\na/.,x,0,1\n", "3: the cell is given twice, first in line 2"},
        {HEADER "a,x,0,0\na/b,x,0,1\na,x,0,0\n", "4: the cell is given twice, first in line 2"},
        {HEADER "a%2Fb,x,0,1\n\na%2fb,x,0,1\n", "4: the cell is given twice, first in line 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(cases[i].text, cases[i].message);
    check_refused_bytes(HEADER "a,x\0,0,1\n", sizeof HEADER + 9, "2: a NUL byte");
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

static void test_no_such_file(void)
{
    ocelotl_model *model = NULL;
    CHECK_FAILS(ocelotl_model_from_csv(&model, "/there/is/no.csv"), OCELOTL_ERROR_IO,
                "/there/is/no.csv: ");
    CHECK_FAILS(ocelotl_model_from_csv(&model, temporary_folder), OCELOTL_ERROR_IO,
                "is a directory");
}

static void test_compressed(void)
{
    static const char text[] = HEADER "a,x,0,1\n";
    ocelotl_model *model;
    const char *compressed = temporary_path("small.csv.gz");
    gzFile file = gzopen(compressed, "wb");
    CHECK(file != NULL && gzwrite(file, text, sizeof text - 1) == (int)sizeof text - 1 &&
          gzclose(file) == Z_OK);
    CHECK_OK(ocelotl_model_from_csv(&model, compressed));
    CHECK_TEXT(ocelotl_model_info_of(model).name, "small");
    ocelotl_model_free(model);
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
    temporary_begin();
    snprintf(path, sizeof path, "%s", temporary_path("some.thing.csv"));
    test_plain();
    test_quoting();
    test_leaves();
    test_invalid_utf8();
    test_broken_files();
    test_broken_numbers();
    test_no_such_file();
    test_compressed();
    test_locale();
    test_large();
    return 0;
}
