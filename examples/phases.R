#!/usr/bin/env Rscript
# Tables of Ocelotl in R: the phases of a run, where its time goes, and how long its states last.
#
#     Rscript phases.R TRACE PICTURE.pdf
#
# Every table of the program is CSV, which R reads as it is; no package of R is needed. OCELOTL_CLI
# names the program if it is not ocelotl-cli.
words <- commandArgs(trailingOnly = TRUE)
if (length(words) != 2) {
  stop("usage: Rscript phases.R TRACE PICTURE.pdf", call. = FALSE)
}
program <- Sys.getenv("OCELOTL_CLI", "ocelotl-cli")

# The table that a command of the program writes. Times are in seconds.
ask <- function(...) {
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  if (system2(program, c(..., "--csv", shQuote(words[1])), stdout = file) != 0) {
    stop("the program refused the trace", call. = FALSE)
  }
  read.csv(file, stringsAsFactors = FALSE, na.strings = "")
}

# The overview of time alone: each part is a phase.
phases <- ask("parts", "--kind", "temporal")
print(phases[c("begin", "end", "state", "share")], row.names = FALSE)

# The events themselves, summed up by R.
events <- ask("export")
states <- events[events$category == "state", ]
time <- aggregate(duration ~ value, states, sum)
time$count <- aggregate(duration ~ value, states, length)$duration
time <- time[order(-time$duration), ]
print(time, row.names = FALSE)

# How long a state lasts, in each phase that it begins in.
states$phase <- findInterval(states$begin, phases$begin)
longest <- states[states$value == time$value[1], ]
pdf(words[2], width = 9, height = 5)
boxplot(duration ~ phase, longest, xlab = "phase", ylab = "seconds", main = time$value[1],
        log = if (all(longest$duration > 0)) "y" else "")
invisible(dev.off())
