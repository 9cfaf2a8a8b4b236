"""Shows what an analyst sees in the sample's workbook after the clicks that docs/analysis.md names: PICTURES BOOK FOLDER.

openpyxl hides what is elsewhere, LibreOffice prints it, poppler and Pillow make pictures of it.
"""

import pathlib
import subprocess
import sys
import tempfile

import openpyxl
from PIL import Image, ImageChops, ImageOps

# For each question the sheet, the rows that count, how many of them, and the columns.
FILTERED = {
    "d-one-device": ("Entities", {"kind": ["device"]}, 1, ["kind", "id", "score", "worst", "evidence"]),
    "e-refunded": ("Queue", {"rule": ["refunded-purchase", "hidden-refund", "repeat-refunds"]}, 8,
                   ["severity", "rule", "subject", "evidence", "at_stake", "currency"]),
    "k-unclaimed": ("Unclaimed", {}, 8,
                    ["original_transaction_id", "product_id", "purchased_at", "account_token", "price", "currency"]),
}
# For each question the section of the overview, how many of its rows, and of its columns: texts at the end of a row take
# the columns after theirs.
SECTIONS = {
    "a-failed-checks": ("Failed checks", 24, 5),
    "b-accounts": ("Worst accounts", 8, 12),
    "c-devices": ("Worst devices", 8, 12),
    "f-apps": ("Findings by rule and app", 16, 12),
    "f-products": ("Products with most findings", 12, 3),
    "g-new": ("New", 14, 12),
    "h-false-alarms": ("Probable false alarms", 19, 8),
    "j-active": ("Subscriptions by state", 16, 5),
    "j-churn": ("Churn, the last twelve months", 20, 9),
}


def keep(book, name):
    """Leaves one sheet to be printed, on one page."""
    for sheet in book:
        if sheet.title != name:
            sheet.sheet_state = "hidden"
            sheet.print_area = None  # LibreOffice prints it even so.
    sheet = book[name]
    book.active = book.index(sheet)
    sheet.page_setup.fitToHeight = 1
    sheet.page_setup.fitToWidth = 1
    sheet.sheet_properties.pageSetUpPr = openpyxl.worksheet.properties.PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = None
    return sheet


def filtered(path, name, passing, count, columns):
    book = openpyxl.load_workbook(path)
    sheet = keep(book, name)
    header = [cell.value for cell in sheet[1]]
    for index, title in enumerate(header, start=1):
        if title not in columns:
            sheet.column_dimensions[openpyxl.utils.get_column_letter(index)].hidden = True
    shown = 0
    for row in range(2, sheet.max_row + 1):
        fits = all(sheet.cell(row, header.index(key) + 1).value in values for key, values in passing.items())
        if fits and shown < count:
            shown += 1
            last = row
        else:
            sheet.row_dimensions[row].hidden = True
    if not shown:
        sys.exit(f"pictures: no row of {name} passes {passing}")
    sheet.print_area = f"A1:{openpyxl.utils.get_column_letter(len(header))}{last}"
    return book


def section(path, title, rows, width):
    book = openpyxl.load_workbook(path)
    sheet = keep(book, "Overview")
    # The list of contents has the title before.
    first = max(row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 1).value == title)
    end = next((row for row in range(first + 1, sheet.max_row + 1) if sheet.cell(row, 1).value is None), sheet.max_row)
    end = min(end, first + rows)
    sheet.print_area = f"A{first}:{openpyxl.utils.get_column_letter(width)}{end - 1}"
    return book


def draw(book, target, folder):
    source = pathlib.Path(folder) / "sheet.xlsx"
    book.save(source)
    picture(source, target, folder)


def picture(source, target, folder, box=None):
    """Prints the first page, cuts off its margins, and saves it in few colours."""
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "pdf", "--outdir",
         folder, source], check=True, capture_output=True)
    pdf = pathlib.Path(folder) / (pathlib.Path(source).stem + ".pdf")
    subprocess.run(["pdftoppm", "-r", "130", "-f", "1", "-l", "1", "-png", "-singlefile", pdf, folder + "/page"], check=True)
    image = Image.open(folder + "/page.png").convert("RGB")
    image = cropped(image)
    if box:
        image = cropped(image.crop((0, 0, image.width, int(image.height * box))))
    image = ImageOps.expand(image, border=8, fill="white")
    image.quantize(48).save(target, optimize=True)


def cropped(image):
    """Cuts off white margins."""
    return image.crop(ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox())


def main(path, folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for name, what in FILTERED.items():
            draw(filtered(path, *what), folder / f"{name}.png", work)
        for name, what in SECTIONS.items():
            draw(section(path, *what), folder / f"{name}.png", work)
        # openpyxl drops charts: this page is the workbook's own.
        picture(path, folder / "i-overview.png", work, box=0.5)


main(sys.argv[1], sys.argv[2])
