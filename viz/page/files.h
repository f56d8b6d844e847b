/* The files of viz/report, which the build puts into the library (cmake/embed.cmake). */
#ifndef OC_VIZ_PAGE_FILES_H
#define OC_VIZ_PAGE_FILES_H

extern const char oc_report_page[];
extern const char oc_report_style[];
extern const char oc_report_script[];

/* SHA-256 of the script, in hexadecimal digits. */
extern const char oc_report_script_digest[];

#endif
