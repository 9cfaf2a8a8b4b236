#!/usr/bin/env bash
# Tells a webhook how an audit ended, and of its new findings, as one JSON object.
#
#     WEBHOOK=https://… jobs/notify.sh LEDGER EXIT_CODE
#
# It posts nothing after a run that ended with 0. After 1 it posts the run and its new findings of the severities critical
# and high, without ids of devices and accounts: the rule, the severity, and how many. After 3 it posts these and every
# reason. After 2 and a signal it posts the reason, if the ledger has it, or why the ledger cannot be read. `text` is a sentence, which Slack and Mattermost show; programs read the rest.
#
# systemd calls it through receipt-audit-notify.service, which gives it MONITOR_EXIT_STATUS; cron as in crontab.example.
# It needs curl and jq. AUDIT is the program, JOB a name for the job. The exit code is 0 if it was posted or nothing was to
# be told, and 2 if it could not be posted.
set -euo pipefail

[ $# -eq 2 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 64; }
ledger=$1 code=$2 job=${JOB:-receipt-audit} audit=${AUDIT:-audit}
[ -n "${WEBHOOK-}" ] || { echo 'notify.sh: set WEBHOOK to the URL to post to' >&2; exit 64; }
[ "$code" != 0 ] || exit 0

# What the ledger knows: the last run, its new findings, and the last failure. A notice without them is better than none.
runs='{}' compared='{}' fault=
trouble=$(mktemp)
trap 'rm -f "$trouble"' EXIT
if ! found=$("$audit" history --state "$ledger" --json 2> "$trouble"); then
    # Without it there is no reason of an earlier night either.
    fault=$(sed 's/^audit: //; s/^error: //' "$trouble")
    cat "$trouble" >&2
else
    runs=$found
    run=$(jq -r '.runs | max_by(.id) | .id // empty' <<< "$runs")
    # The first run has none before it: all its findings are new, and the run has their number.
    if [ -n "$run" ] && found=$("$audit" history --state "$ledger" "$run" --json 2> /dev/null); then compared=$found; fi
fi
notice=$(jq -n --arg fault "$fault" --arg job "$job" --arg code "$code" --arg host "$(uname -n)" --slurpfile runs <(printf '%s' "$runs") \
    --slurpfile compared <(printf '%s' "$compared") '
    ($runs[0].runs // [] | max_by(.id)) as $run
    # What was killed or could not use the ledger leaves no reason there: one that is older than half a day is of an
    # earlier night.
    | ([$runs[0].failures // [] | last | values | select((.at | fromdateiso8601) > now - 43200)] | first) as $failure
    | [$compared[0].new // [] | .[] | select(.severity == "critical" or .severity == "high")] as $new
    | ($code | tonumber? // .) as $code
    | {"0": "is done", "1": "has new findings", "2": "failed", "3": "is done, but its inputs are doubtful", "64": "was not started",
       "75": "is still running from an earlier night: tonight was skipped"}
        as $meanings
    | ($meanings[$code | tostring] // "was stopped (\($code))") as $meaning
    | {
        text: ("\($job) on \($host) \($meaning)"
            + if $code == 1 and ($new | length) > 0 then ": \($new | length) critical or high" else "" end
            + if $code == 2 and $failure.reason then ": \($failure.reason)" elif $fault != "" then ": \($fault)" else "" end
            + if $code == 3 then ": \($run.complaints // [] | join("; "))" else "" end
            + if $code == 3 and ($new | length) > 0 then "; and it has \($new | length) new critical or high findings" else "" end),
        job: $job, host: $host, exit_code: $code,
        run: (if $code == 1 or $code == 3 then $run else null end),
        new_findings: (if $code == 1 or $code == 3 then
            [$new | group_by([.severity, .rule])[] | {severity: .[0].severity, rule: .[0].rule, count: length}]
            else [] end),
        failure: (if [2, 129, 130, 143] | index($code) then $failure else null end),
      }') || { echo 'notify.sh: the notice cannot be made' >&2; exit 2; }

# The URL is a secret, and arguments can be seen by everybody on the machine.
curl --config <(printf 'url = "%s"\n' "${WEBHOOK//\"/%22}") --fail --silent --show-error --output /dev/null \
    --max-time 30 --retry 3 --header 'Content-Type: application/json' --data-binary @- <<< "$notice" ||
    { echo 'notify.sh: the webhook did not take the notice' >&2; exit 2; }
