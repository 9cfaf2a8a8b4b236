// libxlsxwriter, as Debian installs it.
#pragma once
#include <stdio.h>
#include <xlsxwriter.h>

// Writes out the row that is still open, and returns how many bytes of rows a sheet has in its temporary file; -1 if
// any of them could not be written. The library itself does not look, and its structures are awkward in Swift.
static inline long long audit_rows_size(lxw_worksheet *sheet) {
    FILE *file = sheet->optimize_tmpfile;
    if (!file) return -1;
    lxw_worksheet_write_single_row(sheet);
    return fflush(file) != 0 || ferror(file) ? -1 : (long long)ftello(file);
}

// The option is read when the workbook is closed, and only then is it known whether it is needed.
static inline void audit_use_zip64(lxw_workbook *workbook) { workbook->options.use_zip64 = LXW_TRUE; }

// A sheet whose rows go to a temporary file, or one that is kept in memory: charts hold a copy of their cells only if
// these are there to be read. The option is looked at whenever a sheet is added.
static inline lxw_worksheet *audit_add_sheet(lxw_workbook *workbook, const char *name, int in_memory) {
    if (!workbook) return NULL;
    workbook->options.constant_memory = !in_memory;
    return workbook_add_worksheet(workbook, name);
}
