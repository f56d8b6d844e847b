/* The folder of the cache, which nobody but the user may write: what is in it is taken for what
 * this program put there. */
#ifndef OC_REQUEST_CACHE_FOLDER_H
#define OC_REQUEST_CACHE_FOLDER_H

#include <stdbool.h>

/* Where the folder is, or would be, to be freed; NULL: nothing says where, or there is no memory.
 */
char *oc_cache_name(void);

/* The folder, to be freed, which exists, is the user's own, no link, and closed to everybody else;
 * NULL: there is none, and *reason, to be freed (NULL: no memory), says why. Links above it are
 * root's or the user's. Makes what is missing of it, where `make` is set. */
char *oc_cache_folder(char **reason, bool make);

/* Opens a file of the folder and keeps others from removing it until it is closed, or the program
 * ends. What has the name but is a link, or no file of the user's own, is removed. -1: it is not
 * there. */
int oc_cache_hold(const char *path);

/* Removes a file of the folder, or a link in it, unless another program holds it. Whether it is
 * gone. */
bool oc_cache_remove(const char *path);

#endif
