/* The names of a trace, which the store keeps (store/catalogue.h). */
#ifndef OC_QUERY_CATALOGUE_H
#define OC_QUERY_CATALOGUE_H

#include "store/catalogue.h"

#endif
