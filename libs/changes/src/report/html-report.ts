import { createHash } from 'node:crypto'
import { escapeHtml } from './escape-html.ts'
import { othersText, type ShownDiff, shownDiffs } from './equal-diffs.ts'
import { objectTitle, qualifiedName, type Report } from './report.ts'
import { diffLines, overviewLines, type ReportLine } from './text-report.ts'

const style = `body{font:14px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
pre{font:12px/1.5 ui-monospace,monospace;overflow-x:auto;border:1px solid #ccc;border-radius:4px;padding:.5rem}
summary{cursor:pointer;overflow-wrap:anywhere}.added{background:#dafbe1}.removed{background:#ffebe9}.hunk{color:#57606a}
.error{color:#b00020}.warning{color:#7a5200}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#111}.added{background:#12361f}.removed{background:#4b1113}}`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Yields a comparison as one HTML page that loads nothing, and applies no style but its own. */
export function* htmlReport(report: Report): Generator<string> {
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${styleHash}'">
<title>Hydrated changes</title><style>${style}</style></head><body>
<h1>Hydrated changes</h1>
<pre>
`
  for (const line of overviewLines(report)) yield span(line)
  yield '</pre>\n'
  yield* diffSections(shownDiffs(report))
  yield '</body></html>\n'
}

function* diffSections(diffs: readonly ShownDiff[]): Generator<string> {
  let before: ShownDiff | undefined
  for (const diff of diffs) {
    const { branch, application, object, text } = diff
    if (before?.branch !== branch) yield `<h2>${escapeHtml(branch)}</h2>\n`
    if (before?.application !== application) yield `<h3>${escapeHtml(qualifiedName(application))}</h3>\n`
    before = diff
    yield `<details><summary>${escapeHtml(`${object.change} ${objectTitle(object)}`)}</summary><pre>`
    for (const line of diffLines(text)) yield span(line)
    yield `</pre>${diff.others.length > 0 ? `<p>${escapeHtml(othersText(diff))}</p>` : ''}</details>\n`
  }
}

function span({ style: name, text }: ReportLine): string {
  return name === 'plain' ? `${escapeHtml(text)}\n` : `<span class="${name}">${escapeHtml(text)}</span>\n`
}
