import type { HandlerContext } from '@connectrpc/connect'
import { by } from '@wadi/order/by-name.ts'
import type { SearchFindingsRequest } from '@wadi/protocol/gen/wadi/api_gateway/v1/findings_pb.ts'
import type { GatewayContext } from '../context.ts'
import { findingFilter } from '../summaries/finding-filter.ts'
import { findingsLeftOut, findingsOf, type FoundFinding } from '../summaries/found-findings.ts'
import { listedSeverity, severityOrder } from '../summaries/listed-severity.ts'
import { pageOf } from '../summaries/page.ts'
import { visibleTo } from '../summaries/summary-filter.ts'

/** The most rules that are counted. */
const maxRules = 500

/** Answers one page of the findings that a filter selects, from the records in memory, and how many each severity and rule has. */
export function searchFindings({ summaries, authorization }: GatewayContext) {
  return async (request: SearchFindingsRequest, call: HandlerContext) => {
    const { hasApplication, hasText, hasRule, hasSeverity } = findingFilter(request.filter)
    const visible = summaries.sorted.filter(visibleTo(authorization, call))
    const found = visible
      .filter(hasApplication)
      .flatMap((application) => findingsOf(application, summaries))
      .filter(hasText)
    const ofRules = found.filter(hasRule)
    const selected = ofRules.filter(hasSeverity)
    return {
      findings: pageOf(ordered(selected), request),
      total: selected.length,
      severities: Object.fromEntries(counts(ofRules, listedSeverity)),
      rules: Object.fromEntries(
        counts(found.filter(hasSeverity), ({ rule }) => rule)
          .toSorted(([, one], [, other]) => other - one)
          .slice(0, maxRules),
      ),
      leftOut: findingsLeftOut(visible, summaries),
    }
  }
}

function ordered(findings: readonly FoundFinding[]): FoundFinding[] {
  return findings
    .map((finding) => ({ finding, key: orderKey(finding) }))
    .toSorted(by(({ key }) => key))
    .map(({ finding }) => finding)
}

function orderKey(finding: FoundFinding): string {
  const { rule, namespace, name, object, field } = finding
  const severity = String(severityOrder.findIndex((known) => known === listedSeverity(finding)))
  return [severity, rule, namespace, name, object, field].join('\0')
}

function counts(
  findings: readonly FoundFinding[],
  valueOf: (finding: FoundFinding) => string,
): [value: string, count: number][] {
  const counted = new Map<string, number>()
  for (const finding of findings) {
    const value = valueOf(finding)
    counted.set(value, (counted.get(value) ?? 0) + 1)
  }
  return [...counted]
}
