/* Ocelotl: spatiotemporal aggregation of execution traces. Includes the whole public interface. */
#ifndef OCELOTL_H
#define OCELOTL_H

#include <ocelotl/aggregation.h>
#include <ocelotl/answer.h>
#include <ocelotl/arrow.h>
#include <ocelotl/ask.h>
#include <ocelotl/cache.h>
#include <ocelotl/digest.h>
#include <ocelotl/exchange.h>
#include <ocelotl/export.h>
#include <ocelotl/folder.h>
#include <ocelotl/import.h>
#include <ocelotl/levels.h>
#include <ocelotl/model.h>
#include <ocelotl/notes.h>
#include <ocelotl/palette.h>
#include <ocelotl/picture.h>
#include <ocelotl/query.h>
#include <ocelotl/records.h>
#include <ocelotl/request.h>
#include <ocelotl/run.h>
#include <ocelotl/selection.h>
#include <ocelotl/session.h>
#include <ocelotl/sink.h>
#include <ocelotl/snapshot.h>
#include <ocelotl/statistics.h>
#include <ocelotl/status.h>
#include <ocelotl/trace.h>
#include <ocelotl/traces.h>
#include <ocelotl/type_tree.h>
#include <ocelotl/types.h>
#include <ocelotl/verify.h>
#include <ocelotl/work.h>
#include <ocelotl/writer.h>

#endif
