/* The names in a folder, without memory: a handler of signals may ask for them. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

/* Calls back for every name in a folder that is open; it may remove what has the name. What cannot
 * be read has none. */
void cli_each_name(int folder, void (*use)(int folder, const char *name));

#endif
