import { escapeHtml } from './escape-html.ts'
import {
  type Report,
  type BranchReport,
  branchesOf,
  objectDiff,
  objectTitle,
  qualifiedName,
} from './report.ts'
import { diffLines, overviewLines, type ReportLine } from './text-report.ts'

const style = `body{font:14px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
pre{font:12px/1.5 ui-monospace,monospace;overflow-x:auto;border:1px solid #ccc;border-radius:4px;padding:.5rem}
summary{cursor:pointer;overflow-wrap:anywhere}.added{background:#dafbe1}.removed{background:#ffebe9}.hunk{color:#57606a}
.error{color:#b00020}.warning{color:#7a5200}
@media (prefers-color-scheme:dark){body{color:#e6e6e6;background:#111}.added{background:#12361f}.removed{background:#4b1113}}`

/** Yields a comparison as one HTML page that loads nothing. */
export function* htmlReport(report: Report): Generator<string> {
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Hydrated changes</title><style>${style}</style></head><body>
<h1>Hydrated changes</h1>
<pre>
`
  for (const line of overviewLines(report)) yield span(line)
  yield '</pre>\n'
  for (const branch of branchesOf(report)) yield* branchSection(branch, report)
  yield '</body></html>\n'
}

function* branchSection({ branch, applications }: BranchReport, report: Report): Generator<string> {
  if (applications.every(({ objects }) => objects.length === 0)) return
  yield `<h2>${escapeHtml(branch)}</h2>\n`
  for (const application of applications) {
    if (application.objects.length === 0) continue
    yield `<h3>${escapeHtml(qualifiedName(application))}</h3>\n`
    for (const object of application.objects) {
      yield `<details><summary>${escapeHtml(`${object.change} ${objectTitle(object)}`)}</summary><pre>`
      for (const line of diffLines(objectDiff(object, report))) yield span(line)
      yield '</pre></details>\n'
    }
  }
}

function span({ style: name, text }: ReportLine): string {
  return name === 'plain' ? `${escapeHtml(text)}\n` : `<span class="${name}">${escapeHtml(text)}</span>\n`
}
