// libxlsxwriter, as Debian installs it.
#pragma once
#include <stdio.h>
#include <stdlib.h>
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

// A cell of a sheet of rows may get its link long after its row went to the temporary file: links are kept apart. The
// library then insists on a cell, and this one, which is blank, stays in memory and is not written.
static inline lxw_error audit_link(
    lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column, const char *place, lxw_format *format) {
    uint8_t optimize = sheet->optimize;
    sheet->optimize = LXW_FALSE;
    lxw_error error = worksheet_write_url_opt(sheet, row, column, place, format, "", NULL);
    sheet->optimize = optimize;
    return error;
}

// Makes the first rows of a sheet a table. The library refuses that for rows in a temporary file, because it writes the
// header's cells itself; but these are there already, and its own are not written.
static inline lxw_error audit_add_table(
    lxw_worksheet *sheet, const char *name, lxw_row_t rows, lxw_col_t count, const char *const *headers) {
    lxw_table_column *columns = calloc(count, sizeof *columns);
    lxw_table_column **list = calloc((size_t)count + 1, sizeof *list);
    lxw_error error = LXW_ERROR_MEMORY_MALLOC_FAILED;
    if (columns && list) {
        for (lxw_col_t i = 0; i < count; i++) {
            columns[i].header = (char *)headers[i];
            list[i] = &columns[i];
        }
        lxw_table_options options = {
            .name = (char *)name,
            .style_type = LXW_TABLE_STYLE_TYPE_LIGHT,
            .style_type_number = 1,
            .columns = list,
        };
        uint8_t optimize = sheet->optimize;
        sheet->optimize = LXW_FALSE;
        error = worksheet_add_table(sheet, 0, 0, rows - 1, count - 1, &options);
        sheet->optimize = optimize;
    }
    free(columns);
    free(list);
    return error;
}

// Offers the words of a list where a cell of a column is edited.
static inline lxw_error audit_offer(
    lxw_worksheet *sheet, lxw_col_t column, lxw_row_t last, const char *const *words) {
    lxw_data_validation validation = {
        .validate = LXW_VALIDATION_TYPE_LIST,
        .value_list = (char **)words,
    };
    return worksheet_data_validation_range(sheet, 1, column, last, column, &validation);
}
