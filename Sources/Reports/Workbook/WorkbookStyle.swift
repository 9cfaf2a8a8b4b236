import CXLSXWriter
import Checks
import Rules

/// The style of a cell.
enum WorkbookStyle: Hashable {
    case plain
    /// A text that stays text when edited: an id with many digits is not a number.
    case identifier
    /// Long text, on several lines.
    case wrapped
    /// Text in a row with ``wrapped`` cells.
    case top
    /// A link within the workbook.
    case link
    /// A number with a link.
    case linkedNumber
    /// Text next to a number.
    case indented
    /// The first row of a table.
    case header
    /// A header over ``indented`` text.
    case indentedHeader
    /// A header over numbers.
    case numberHeader
    case date
    /// A count, with thousands separators.
    case count
    /// A date and a count in a column of words, aligned to the left.
    case leadingDate
    case leadingCount
    /// A part of a whole, in percent.
    case share
    /// An amount in a currency, given by its code (ISO 4217), with its decimals.
    case money(String, decimals: Int)
    /// An amount in a row that names its currency.
    case amount(decimals: Int)
    case title
    case heading
    case note
    case color(Color)

    /// Colours of words for verdicts and severities.
    enum Color: Hashable {
        case good
        case doubtful
        case bad
        case worst
        case mild
        case faint
    }

    func apply(to format: UnsafeMutablePointer<lxw_format>) {
        if isOfTable { unsafe format_set_align(format, UInt8(LXW_ALIGN_VERTICAL_TOP.rawValue)) }
        if isText { unsafe format_set_num_format(format, "@") }
        switch self {
        case .plain: break
        case .identifier, .top: break
        case .wrapped: unsafe format_set_text_wrap(format)
        case .link, .linkedNumber:
            unsafe format_set_font_color(format, 0x0563c1)
            unsafe format_set_underline(format, UInt8(LXW_UNDERLINE_SINGLE.rawValue))
        case .indented: unsafe WorkbookStyle.lead(format)
        case .header, .indentedHeader, .numberHeader:
            if self == .indentedHeader { unsafe WorkbookStyle.lead(format) }
            if self == .numberHeader {
                unsafe format_set_align(format, UInt8(LXW_ALIGN_RIGHT.rawValue))
                unsafe format_set_text_wrap(format)
            }
            unsafe format_set_bold(format)
            unsafe format_set_bg_color(format, 0x1f3a5f)
            unsafe format_set_font_color(format, 0xffffff)
        case .date, .leadingDate:
            unsafe format_set_num_format(format, "yyyy-mm-dd hh:mm:ss")
            if self == .leadingDate { unsafe WorkbookStyle.lead(format) }
        case .count, .leadingCount:
            if self == .leadingCount { unsafe WorkbookStyle.lead(format) }
            unsafe format_set_num_format(format, "#,##0")
        case .share: unsafe format_set_num_format(format, "0.0%")
        case .money(let currency, let decimals):
            unsafe format_set_num_format(format, "\(WorkbookStyle.digits(decimals)) \"\(currency)\"")
        case .amount(let decimals): unsafe format_set_num_format(format, WorkbookStyle.digits(decimals))
        case .title:
            unsafe format_set_bold(format)
            unsafe format_set_font_size(format, 16)
        case .heading:
            unsafe format_set_bold(format)
            unsafe format_set_font_size(format, 13)
        case .note:
            unsafe format_set_italic(format)
            unsafe format_set_font_color(format, 0x595959)
        case .color(let color):
            unsafe format_set_bg_color(format, color.background)
            unsafe format_set_font_color(format, color.text)
        }
    }

    /// Whether it is for cells of tables with multi-line rows.
    private var isOfTable: Bool {
        switch self {
        case .identifier, .wrapped, .top, .link, .linkedNumber, .date, .color, .amount: true
        default: false
        }
    }

    /// Whether cells stay texts when edited.
    private var isText: Bool {
        switch self {
        case .identifier, .link, .indented: true
        default: false
        }
    }

    private static func digits(_ decimals: Int) -> String {
        "#,##0" + (decimals > 0 ? "." + String(repeating: "0", count: decimals) : "")
    }

    /// Aligns to the left with an indentation.
    private static func lead(_ format: UnsafeMutablePointer<lxw_format>) {
        unsafe format_set_align(format, UInt8(LXW_ALIGN_LEFT.rawValue))
        unsafe format_set_indent(format, 1)
    }
}

extension WorkbookStyle {
    static func color(of verdict: Verdict) -> Color {
        switch verdict {
        case .valid: .good
        case .invalid: .bad
        case .unreadable: .doubtful
        }
    }

    static func color(of severity: Severity) -> Color {
        switch severity {
        case .critical: .worst
        case .high: .bad
        case .medium: .doubtful
        case .low: .mild
        case .info: .faint
        }
    }
}

extension WorkbookStyle.Color {
    /// The colour of the cell.
    var background: UInt32 {
        switch self {
        case .good: 0xc6efce
        case .doubtful: 0xffeb9c
        case .bad: 0xffc7ce
        case .worst: 0xc00000
        case .mild: 0xddebf7
        case .faint: 0xededed
        }
    }

    var text: UInt32 {
        switch self {
        case .good: 0x006100
        case .doubtful: 0x7f4f00
        case .bad: 0x9c0006
        case .worst: 0xffffff
        case .mild: 0x1f4e78
        case .faint: 0x404040
        }
    }

    /// The colour in a chart, on white.
    var bar: UInt32 {
        switch self {
        case .good: 0x4ea72e
        case .doubtful: 0xe6a700
        case .bad: 0xe0555f
        case .worst: 0xa00000
        case .mild: 0x5b9bd5
        case .faint: 0xa6a6a6
        }
    }
}
