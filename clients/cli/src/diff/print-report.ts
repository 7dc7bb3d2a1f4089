import { once } from 'node:events'
import { styleText } from 'node:util'
import { toJson } from '@bufbuild/protobuf'
import type { Report } from '@wadi/changes/report/report.ts'
import type { ReportLine } from '@wadi/changes/report/text-report.ts'
import {
  ApplicationChangesSchema,
  ChangesSummarySchema,
} from '@wadi/protocol/gen/wadi/changes/v1/changes_pb.ts'
import { withoutTerminalControls } from '../output/printable.ts'

/** The form of a report. */
export type ReportFormat = 'text' | 'markdown' | 'json' | 'html'

const styles = {
  plain: undefined,
  heading: 'bold',
  added: 'green',
  removed: 'red',
  hunk: 'cyan',
  error: 'red',
  warning: 'yellow',
} as const satisfies Record<ReportLine['style'], string | undefined>

/** Prints a comparison on standard output; in colours on a terminal, unless NO_COLOR is set. */
export async function printReport(report: Report, format: ReportFormat): Promise<void> {
  for await (const text of reportText(report, format)) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  }
}

async function* reportText(report: Report, format: ReportFormat): AsyncGenerator<string> {
  if (format === 'json') yield jsonText(report)
  if (format === 'markdown')
    yield (await import('@wadi/changes/report/markdown-report.ts')).markdownReport(report)
  if (format === 'html') yield* (await import('@wadi/changes/report/html-report.ts')).htmlReport(report)
  if (format !== 'text') return
  const { textReport } = await import('@wadi/changes/report/text-report.ts')
  for (const { style, text } of textReport(report)) {
    const safe = withoutTerminalControls(text)
    const { [style]: colour } = styles
    yield `${colour === undefined ? safe : styleText(colour, safe, { stream: process.stdout })}\n`
  }
}

function jsonText({ summary, applications }: Report): string {
  const options = { alwaysEmitImplicit: true }
  const value = {
    summary: toJson(ChangesSummarySchema, summary, options),
    applications: applications.map((application) => toJson(ApplicationChangesSchema, application, options)),
  }
  return `${JSON.stringify(value, undefined, 2)}\n`
}
