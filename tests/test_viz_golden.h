/* Scenes as text, against reviewed files, and properties that all scenes have. */
#ifndef OC_TESTS_VIZ_GOLDEN_H
#define OC_TESTS_VIZ_GOLDEN_H

#include "test_scene_files.h"
#include "test_viz_fixture.h"

#include "viz/words/words.h"

static inline const char *in_golden(const char *name)
{
    static char path[1024];
    const char *root = getenv("OCELOTL_ROOT");
    snprintf(path, sizeof path, "%s/tests/golden/%s", root != NULL ? root : "..", name);
    return path;
}

static inline oc_scene lay_out_picture(const oc_overview_input *input, const oc_picture *picture)
{
    oc_scene scene = {0};
    CHECK_OK(oc_overview_lay_out(&scene, picture, input));
    CHECK(scene.open_groups == 0);
    return scene;
}

static inline oc_text describe(const oc_scene *scene)
{
    oc_text text = {0};
    scene_describe(&text, scene);
    CHECK(!text.failed);
    return text;
}

static inline oc_text describe_without_version(const oc_scene *scene)
{
    static const char key[] = "metadata generator: ocelotl ";
    oc_text whole = describe(scene);
    oc_text text = {0};
    const char *line = strstr(whole.bytes, key);
    CHECK(line != NULL &&
          strncmp(line + strlen(key), ocelotl_version(), strlen(ocelotl_version())) == 0);
    oc_text_append(&text, whole.bytes, (size_t)(line - whole.bytes));
    oc_text_add(&text, strchr(line, '\n') + 1);
    oc_text_free(&whole);
    return text;
}

/* OCELOTL_GOLDEN_UPDATE writes the file instead: review the change before you keep it. */
static inline void check_golden(const oc_scene *scene, const char *name)
{
    oc_text found = describe_without_version(scene);
    if (getenv("OCELOTL_GOLDEN_UPDATE") != NULL) {
        FILE *file = fopen(in_golden(name), "wb");
        CHECK(file != NULL && fwrite(found.bytes, 1, found.length, file) == found.length &&
              fclose(file) == 0);
    }
    oc_text wanted = read_whole(in_golden(name));
    if (wanted.length != found.length || memcmp(wanted.bytes, found.bytes, found.length) != 0)
        fprintf(stderr, "the scene is not that of %s but\n%s", name, found.bytes);
    CHECK_TEXT(found.bytes, wanted.bytes);
    oc_text_free(&wanted);
    oc_text_free(&found);
}

static inline void check_inside(const oc_scene *scene)
{
    for (size_t i = 0; i < scene->item_count; i++) {
        const oc_scene_item *item = &scene->items[i];
        if (item->kind == OC_ITEM_RECTANGLE) {
            const oc_rectangle *box = &item->as.rectangle;
            CHECK(box->width > 0 && box->height > 0);
            CHECK(box->x >= 0 && box->y >= 0);
            CHECK(box->x + box->width <= scene->width && box->y + box->height <= scene->height);
        } else if (item->kind == OC_ITEM_LABEL) {
            const oc_label *label = &item->as.label;
            const double width =
                oc_lettering_width(oc_scene_string(scene, item->text), label->size, label->bold);
            const bool turned = label->rotation < 0;
            const double before = width * (int)label->anchor / 2;
            const double begin = turned ? label->y - (width - before) : label->x - before;
            CHECK(begin >= 0 && begin + width <= (turned ? scene->height : scene->width));
            CHECK(label->y <= scene->height && label->y >= 8);
        }
    }
}

#endif
