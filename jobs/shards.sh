#!/usr/bin/env bash
# Audits exports in shards on all cores of one machine, with sort(1) as the engine.
#
#     jobs/shards.sh [-s SHARDS] [-j JOBS] [-r RUNNER] [-o FOLDER] [-e EVIDENCE]... INPUT... -- --as-of TIME
#         [OPTION...]
#
# An INPUT is a table, NDJSON or a JSON array, whatever its name is, and may be compressed with gzip, as `audit run`
# reads it. NDJSON that is not compressed is split into shards, all else is not. The options after -- (--as-of, --root,
# --policy) are passed to every step, --columns and --null to those that read INPUTs. FOLDER (default: reports) receives
# a CSV file of each table (receipts.csv, fraud.csv, …), the same as those of `audit run`. AUDIT is the program, TMPDIR
# the folder for temporary files: about seven kilobytes a claim, and as much as the INPUTs that are split.
#
# All tables of a run appear together, or none does; a table of an earlier run that this run does not have is removed.
#
# EVIDENCE is what Apple told the company's server, as `audit run --evidence` takes it. It is verified once; every shard
# is given an index of it.
#
# The exit code is 3, as that of `audit run`, if all is done and an input check fails; --min-claims,
# --max-unreadable and --allow-empty say what that is. It is 2 if a step fails: then no report is changed.
#
# RUNNER runs commands in parallel: xargs, or GNU parallel, which is the default if it is installed.
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C

tables=(receipts fraud links entities subscriptions unclaimed refund_requests purchases evidence retention metrics rule_quality summary)
cores=$(nproc) || exit 2
shards=$cores jobs=$cores folder=reports runner=
evidence=()
export AUDIT=${AUDIT:-audit}

usage() { sed -n '2,21s/^# \{0,1\}//p' "$0" >&2; exit 64; }

while getopts s:j:r:o:e:h option; do
    case $option in
        s) shards=$OPTARG ;;
        j) jobs=$OPTARG ;;
        r) runner=$OPTARG ;;
        o) folder=$OPTARG ;;
        e) evidence+=(--evidence "$OPTARG") ;;
        *) usage ;;
    esac
done
shift $((OPTIND - 1))
[[ $shards =~ ^[1-9][0-9]{0,4}$ && $jobs =~ ^[1-9][0-9]{0,3}$ ]] || usage
inputs=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do inputs+=("$1"); shift; done
[ ${#inputs[@]} -gt 0 ] && [ $# -gt 0 ] || usage
shift
for input in "${inputs[@]}"; do
    [ -e "$input" ] || { echo "shards.sh: $input: no such file" >&2; exit 2; }
    [ ! -d "$input" ] || { echo "shards.sh: $input: is a folder; a list of its files is an INPUT of audit map --format paths" >&2; exit 2; }
done
# Options that say what inputs must be are for the step that counts claims, those that name columns for the first one.
steps=() limits=() columns=() status=0
while [ $# -gt 0 ]; do
    case $1 in
        --min-claims | --max-unreadable | --unclaimed-after) limits+=("$1" "${2-}"); shift $(($# > 1)) ;;
        --min-claims=* | --max-unreadable=* | --unclaimed-after=* | --unclaimed-ended | --allow-empty) limits+=("$1") ;;
        --columns | --null) columns+=("$1" "${2-}"); shift $(($# > 1)) ;;
        --columns=* | --null=*) columns+=("$1") ;;
        *) steps+=("$1") ;;
    esac
    shift
done

# at_once runs the commands on standard input, one per line, JOBS at a time. It stops at the first that fails.
if [ -z "$runner" ]; then
    # Only GNU's has --halt.
    if parallel --version 2> /dev/null | grep -q GNU; then runner=parallel; else runner=xargs; fi
fi
case $runner in
    parallel)
        export PARALLEL_SHELL=$BASH
        at_once() { sed 's/^/set -euo pipefail; /' | parallel --will-cite --no-run-if-empty --jobs "$jobs" --halt now,fail=1; }
        ;;
    xargs)
        # Where a command is followed by ||, `set -e` does nothing inside it: so it has a shell of its own.
        at_once() {
            tr '\n' '\0' | xargs -0 -r -n 1 -P "$jobs" bash -c 'bash -euo pipefail -c "$1" || exit 255' _
        }
        ;;
    *) usage ;;
esac

work=$(mktemp -d "${TMPDIR:-/var/tmp}/shards.XXXXXX") || exit 2
staged= is_publishing= is_complete=
# A step that fails ends the script by `set -e`, with an exit code that may mean something else for the script.
finish() {
    local code=$?
    set +e
    if [ -z "$is_complete" ] && [ -n "$is_publishing" ] && ! restore; then
        echo "shards.sh: the tables in $folder are of two runs; those of the earlier one are in $staged/old" >&2
        staged=
    fi
    rm -rf "$work" ${staged:+"$staged"}
    [ -z "$is_complete" ] || exit "$code"
    case $code in
        129 | 130 | 143) echo 'shards.sh: stopped: no report was changed' >&2; exit "$code" ;;
        *) echo 'shards.sh: a step failed: no report was changed' >&2; exit 2 ;;
    esac
}
trap finish EXIT

# publish replaces the tables in FOLDER by the staged ones, each atomically.
publish() {
    local table
    mkdir "$staged/old"
    for table in "${tables[@]}"; do
        [ ! -e "$folder/$table.csv" ] || ln -- "$folder/$table.csv" "$staged/old/" 2> /dev/null ||
            cp -p -- "$folder/$table.csv" "$staged/old/"
    done
    trap '' HUP INT TERM
    is_publishing=yes
    for table in "${tables[@]}"; do
        if [ -e "$staged/$table.csv" ]; then
            mv -f -T -- "$staged/$table.csv" "$folder/$table.csv"
        else
            rm -f -- "$folder/$table.csv"
        fi
    done
    is_complete=yes
}

# restore puts the tables back that publish found.
restore() {
    local table status=0
    for table in "${tables[@]}"; do
        if [ ! -e "$staged/old/$table.csv" ]; then
            rm -f -- "$folder/$table.csv" || status=1
        elif ! [ "$staged/old/$table.csv" -ef "$folder/$table.csv" ]; then
            mv -f -T -- "$staged/old/$table.csv" "$folder/$table.csv" || status=1
        fi
    done
    return $status
}

mkdir "$work"/{shards,lines,groups,found,findings,reported,entities,listed}
# The options of every step, quoted for a shell.
export STEPS
STEPS=$(printf '%q ' --csv "${steps[@]}")

# 0. Verify the evidence, write what it says, and make the index that shards look purchases up in.
told=
if [ ${#evidence[@]} -gt 0 ]; then
    "$AUDIT" map --csv "${steps[@]}" "${evidence[@]}" --evidence-index "$work/index" < /dev/null > "$work/lines/evidence"
    told=$(printf -- '--evidence %q' "$work/index")
fi

# 1. Map each shard. A claim is named by its input and its line there, whatever shard it is in. The last step is told how
# many shards there are.
maps=()
number=0
for input in "${inputs[@]}"; do
    [ ${#inputs[@]} -eq 1 ] && name=${input##*/} || name=$input
    case $input in */*) root=${input%/*}/ ;; *) root=. ;; esac
    options=$(printf -- '--name %q --input-number %d --root-folder %q' "$name" "$number" "$root")
    options+=" $told${columns[*]:+$(printf ' %q' "${columns[@]}")}"
    lines=$(printf '%s/lines/%05d' "$work" "$number")
    # Only what has a JSON object a line can be split. `audit map` sees what else it is.
    head -c 1048576 -- "$input" > "$work/head"
    tr -d '\r\0' < "$work/head" > "$work/text"
    first=$(sed -n -e '1s/^\xef\xbb\xbf//' -e '/[^[:space:]]/ { p; q }' "$work/text")
    if [[ $first == '{'*'}' || ( $first == '{'* && ${#first} -gt 1000000 ) ]]; then
        prefix=$work/shards/$number.
        split --number="l/$shards" --suffix-length=5 --numeric-suffixes -- "$input" "$prefix"
        # Nothing is lost where a file is cut or a disk fills.
        held=$(wc -c < "$input")
        written=$(cat -- "$prefix"* | wc -c)
        [ "$written" = "$held" ] ||
            { echo "shards.sh: the shards of $input are not what it holds" >&2; exit 2; }
        # A shard beyond the last line is not an input that is empty, and a few lines by themselves may look like other JSON.
        find "$prefix"* -empty ! -name '*.00000' -delete
        parts=("$prefix"*)
        [ ${#parts[@]} -eq 1 ] || options+=' --format ndjson'
        line=1
        for shard in "${parts[@]}"; do
            maps+=("$(printf '%s --first-line %d < %q > %q; rm %q' \
                "$options" "$line" "$shard" "$lines.${shard##*.}" "$shard")")
            count=$(wc -l < "$shard")
            line=$((line + count))
        done
    else
        maps+=("$(printf '%s < %q > %q' "$options" "$input" "$lines")")
    fi
    number=$((number + 1))
done
for index in "${!maps[@]}"; do
    printf '"$AUDIT" map --purchases %s --part %d/%d %s\n' "$STEPS" $((index + 1)) ${#maps[@]} "${maps[index]}"
done > "$work/map"
at_once < "$work/map"

# What all claims together say of the forms of accounts, every step that reads accounts must know.
cat "$work"/lines/* | sed -n '/^#/p' > "$work/accounts"

# 2. Reduce groups of claims: split lines into parts by the last character of the key, sort and reduce each part.
cat "$work"/lines/* | awk -F '\t' -v parts="$jobs" -v folder="$work" '
    BEGIN { for (code = 33; code < 127; code++) number[sprintf("%c", code)] = code }
    /^[rtdabnpu]/ { print > (folder "/groups/" number[substr($1, length($1))] % parts) }'
for part in "$work"/groups/*; do
    [ -e "$part" ] || continue
    printf 'sort -T %q -S 256M %q %q | "$AUDIT" reduce %s > %q; rm %q\n' \
        "$work" "$work/accounts" "$part" "$STEPS" "$work/found/${part##*/}" "$part"
done | at_once
touch "$work/found/none"

# 3. Rings: findings that share accounts or devices. Waves: claims of many customers that fail in the same way.
cat "$work"/lines/* "$work"/found/* | sed -n '/^j/p' | eval '"$AUDIT" reduce '"$STEPS" > "$work/rings"

# 4. Claims: join their rows, which are already sorted, with the marks of findings. What must be known of findings before
# has keys that sort first.
cat "$work"/found/* | sed -n '/^c/p' | sort -T "$work" > "$work/marks"
{
    cat "$work/accounts"
    cat "$work"/found/* "$work/rings" | sed -n '/^0/p'
    cat "$work"/lines/* | sed -n '/^c/p' | sort -m -s - "$work/marks"
} | eval '"$AUDIT" reduce '"$STEPS" > "$work/joined"

# 5. Findings: merge what was found about one subject, with the claims that it is about. Each part has the ids of a range.
cat "$work"/lines/* "$work"/found/* "$work/rings" "$work/joined" | awk -v parts="$jobs" -v folder="$work" '
    /^f/ { print > sprintf("%s/findings/%05d", folder, int((index("0123456789abcdef", substr($0, 2, 1)) - 1) * parts / 16)) }'
for part in "$work"/findings/*; do
    [ -e "$part" ] || continue
    printf 'sort -T %q -S 256M %q %q | "$AUDIT" reduce %s > %q; rm %q\n' \
        "$work" "$work/accounts" "$part" "$STEPS" "$work/reported/${part##*/}" "$part"
done | at_once
touch "$work/reported/none"

# 6. Entities: bring together what findings say of one account, device, person, transaction, receipt or signer, and the
# refunds of transactions that Apple asks about.
cat "$work"/reported/* "$work"/found/* | awk -F '\t' -v parts="$jobs" -v folder="$work" '
    BEGIN { for (code = 33; code < 127; code++) number[sprintf("%c", code)] = code }
    /^e/ { print > (folder "/entities/" number[substr($1, length($1))] % parts) }'
for part in "$work"/entities/*; do
    [ -e "$part" ] || continue
    printf 'sort -T %q -S 256M %q | "$AUDIT" reduce %s > %q; rm %q\n' \
        "$work" "$part" "$STEPS" "$work/listed/${part##*/}" "$part"
done | at_once
touch "$work/listed/none"

# 7. Sum up the counts. All lines that a step has written another one must have read.
named=$(printf -- '--input %q ' "${inputs[@]}")
[ ${#evidence[@]} -eq 0 ] || named+=$(printf '%q ' "${evidence[@]}")
cat "$work"/lines/* "$work"/found/* "$work/rings" "$work/joined" "$work"/reported/* "$work"/listed/* |
    sed -n '/^s/p' > "$work/counted"
eval '"$AUDIT" reduce '"$STEPS $named ${limits[*]:+$(printf '%q ' "${limits[@]}")}" \
    < "$work/counted" > "$work/counts" || status=$?
case $status in 0 | 3) ;; *) exit 2 ;; esac

# Write all tables beside the old ones, then replace these.
mkdir -p -- "$folder"
staged=$(mktemp -d "$folder/.shards.XXXXXX")
# report TABLE FILE... : writes a table of its rows in files, which must be as many as were written.
report() {
    local table=$1
    shift
    cat "$@" "$work/counts" | sed -n "/^{\"table\":\"\($table\|end\)\"/p" | "$AUDIT" rows "$table" --whole > "$staged/$table.csv"
}
report receipts "$work/joined"
report fraud "$work"/reported/*
report links "$work"/reported/*
report entities "$work"/listed/*
cat "$work"/found/* | sed -n '/^{"table":"subscriptions"/p' | sort -T "$work" > "$work/subscriptions"
report subscriptions "$work/subscriptions"
report purchases "$work"/lines/*
if [ ${#evidence[@]} -gt 0 ]; then
    report evidence "$work/lines/evidence"
    report unclaimed "$work"/listed/*
    report refund_requests "$work"/listed/*
fi
for table in retention metrics rule_quality summary; do report "$table" /dev/null; done
publish
exit "$status"
